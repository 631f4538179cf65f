import type { Ring } from '../domain/geo.ts';
import type { ServiceArea } from '../domain/service-area.ts';
import { priceList } from './ride-types.ts';

// Drawn by hand, clockwise from Heathrow, after the outline of the London boroughs (London Datastore: contains National
// Statistics and Ordnance Survey data, Crown copyright and database right 2015, Open Government Licence). The Thames
// lies inside, because cars cross its bridges.
// biome-ignore format: one stretch of border per line
const boundary: Ring = [
  [-0.505, 51.474], [-0.4985, 51.486], [-0.4865, 51.5005], // Heathrow, Longford
  [-0.4895, 51.514], [-0.491, 51.528], [-0.478, 51.5555], [-0.4845, 51.575], // West Drayton, Uxbridge
  [-0.498, 51.593], [-0.4955, 51.619], [-0.4855, 51.626], // Harefield
  [-0.4495, 51.615], [-0.4165, 51.616], [-0.3665, 51.6205], [-0.338, 51.6295], // Northwood, Hatch End
  [-0.319, 51.638], [-0.2745, 51.638], [-0.2505, 51.6495], [-0.208, 51.6635], // Stanmore, Arkley
  [-0.182, 51.6685], [-0.1635, 51.688], [-0.1125, 51.6905], [-0.0615, 51.6825], // Hadley Wood, Crews Hill
  [-0.0105, 51.676], [-0.009, 51.6605], [-0.0125, 51.6465], [0.0225, 51.641], // Enfield Lock, Chingford
  [0.0225, 51.6285], [0.041, 51.616], [0.073, 51.605], [0.098, 51.615], // Woodford, Hainault
  [0.129, 51.621], [0.18, 51.6245], [0.222, 51.63], [0.2575, 51.614], // Havering-atte-Bower, Harold Hill
  [0.2695, 51.5995], [0.2725, 51.5875], [0.2885, 51.565], [0.2715, 51.534], // Upminster
  [0.2535, 51.518], [0.2265, 51.5065], [0.2095, 51.4895], // Rainham
  [0.212, 51.4825], [0.208, 51.471], [0.203, 51.4545], [0.176, 51.442], // across the Thames, Erith, Crayford
  [0.151, 51.4205], [0.154, 51.405], [0.149, 51.391], [0.153, 51.378], // Sidcup, St Mary Cray
  [0.1435, 51.351], [0.117, 51.3415], [0.0835, 51.306], [0.0525, 51.293], // Orpington, Biggin Hill
  [0.019, 51.292], [0.0065, 51.3155], [-0.009, 51.334], [-0.042, 51.334], // Keston, New Addington
  [-0.071, 51.321], [-0.094, 51.3], [-0.1245, 51.287], [-0.157, 51.305], // Kenley, Coulsdon
  [-0.1645, 51.326], [-0.187, 51.3405], [-0.2135, 51.331], [-0.229, 51.3375], // Sutton, Cheam
  [-0.223, 51.3515], [-0.245, 51.3675], [-0.261, 51.3795], [-0.2925, 51.353], // Worcester Park
  [-0.319, 51.328], [-0.3305, 51.3295], [-0.3185, 51.37], [-0.311, 51.386], // Chessington, Surbiton
  [-0.344, 51.4045], [-0.3795, 51.408], [-0.3915, 51.4225], // Hampton Court
  [-0.421, 51.432], [-0.4565, 51.4385], [-0.474, 51.4585], [-0.5005, 51.4675], [-0.505, 51.474], // Feltham, Stanwell
];

// Inside the ring of Marylebone and Pentonville Road, City Road, Tower Bridge, the Elephant, Vauxhall and Park Lane
// biome-ignore format: four corners per line
const central: Ring = [
  [-0.1675, 51.521], [-0.1435, 51.524], [-0.1235, 51.5305], [-0.1055, 51.532],
  [-0.087, 51.5255], [-0.0735, 51.5185], [-0.073, 51.5075], [-0.0785, 51.4985],
  [-0.1, 51.4945], [-0.124, 51.4855], [-0.1455, 51.4935], [-0.1525, 51.5025],
  [-0.159, 51.5135], [-0.1675, 51.521],
];

// biome-ignore format: four corners per line
const cityAirport: Ring = [
  [0.0395, 51.5075], [0.068, 51.5075], [0.068, 51.5027], [0.0395, 51.5027],
  [0.0395, 51.5075],
];

// biome-ignore format: four corners per line
const horseGuards: Ring = [
  [-0.1305, 51.5057], [-0.1272, 51.5054], [-0.1275, 51.5037], [-0.1303, 51.5038],
  [-0.1305, 51.5057],
];

export const london: ServiceArea = {
  id: 'london',
  name: 'London',
  timeZone: 'Europe/London',
  currency: 'GBP',
  boundary,
  zones: { central: { name: 'central London', boundary: central } },
  prohibitedDropOffs: [
    {
      name: 'London City Airport',
      boundary: cityAirport,
      message: 'Drop-offs at London City Airport are not permitted. Please choose Pontoon Dock station instead.',
    },
    {
      name: 'Horse Guards Parade',
      boundary: horseGuards,
      message: 'Drop-offs on Horse Guards Parade are not permitted. Please choose a place on Whitehall instead.',
    },
  ],
  streetBearing: 20,
  cityKmPerHour: 20,
  rideTypes: priceList({ trustAndService: 100, cancelPenalty: 500 }, [
    // ride type, share of cars, base charge, per mile, per minute, minimum
    ['svc', 0.85, 250, 125, 15, 500],
    ['svc_plus', 0.25, 350, 200, 25, 800],
    ['svc_premier', 0.2, 500, 260, 40, 1000],
    ['svc_luxsuv', 0.1, 900, 390, 65, 1800, { cancelPenalty: 1000, onlyInZone: 'central' }],
  ]),
  primeTime: [
    { days: [1, 2, 3, 4, 5], fromHour: 8, toHour: 9, percent: 25 },
    { days: [4, 5], fromHour: 17, toHour: 19, percent: 50 },
    { days: [5, 6], fromHour: 22, toHour: 24, percent: 50 },
    { days: [6, 7], fromHour: 0, toHour: 2, percent: 100 },
  ],
  regionalCharges: [],
  cancelGraceSeconds: 300,
  // the British regulator reserves 07700 900000 to 900999 for drama
  fleet: { carsPerSquareKm: 3, plateState: null, platePattern: 'LA99 AAA', phonePrefix: '+447700900', phoneDigits: 12 },
};
