import type { Ring } from '../domain/geo.ts';
import type { ServiceArea } from '../domain/service-area.ts';
import { priceList } from './ride-types.ts';

// Manhattan, the Bronx, Queens and Brooklyn in one ring, traced by hand from general knowledge of the public map: up
// the Hudson, along the city line, down the Sound, around both airports and Jamaica Bay, back along the Narrows. Land
// and water were checked against the coastline of OpenStreetMap (its contributors, ODbL). The East River below Hell
// Gate lies inside, because cars cross its bridges. The Rockaways, Rikers Island, Staten Island and the islands of the
// harbor lie outside.
// biome-ignore format: one stretch of shore or border per line
const boundary: Ring = [
  [-74.0135, 40.7002], [-74.0168, 40.7035], [-74.0178, 40.71], // the Battery, Battery Park City
  [-74.0145, 40.7195], [-74.0138, 40.7295], [-74.011, 40.742], [-74.0105, 40.7495], // Pier 40, Chelsea Piers
  [-74.0055, 40.759], [-74.0012, 40.765], [-73.9905, 40.7785], // Javits Center, the Intrepid
  [-73.984, 40.7865], [-73.973, 40.8025], [-73.961, 40.8185], [-73.955, 40.828], // Riverside Park, Riverbank
  [-73.947, 40.85], [-73.934, 40.8688], [-73.9262, 40.8775], // George Washington Bridge, Inwood
  [-73.9185, 40.89], [-73.914, 40.907], [-73.912, 40.9155], // Riverdale, the city line on the Hudson
  [-73.8965, 40.911], [-73.879, 40.9055], [-73.8595, 40.901], [-73.84, 40.894], // Van Cortlandt Park, Woodlawn
  [-73.822, 40.8895], [-73.802, 40.8835], [-73.7885, 40.8805], // Eastchester, Hunter Island
  [-73.7835, 40.872], [-73.7925, 40.867], [-73.7965, 40.8595], // Orchard Beach
  [-73.789, 40.858], [-73.783, 40.85], [-73.7835, 40.8385], [-73.791, 40.847], [-73.792, 40.8545], // City Island
  [-73.8005, 40.85], [-73.804, 40.8605], [-73.8155, 40.862], [-73.8125, 40.857], // Rodmans Neck
  [-73.8175, 40.8515], [-73.8183, 40.844], [-73.8155, 40.8325], [-73.8095, 40.828], // Country Club
  [-73.8065, 40.8235], [-73.805, 40.8185], [-73.799, 40.8155], [-73.805, 40.8122], // Throgs Neck
  [-73.791, 40.8073], [-73.7912, 40.8046], [-73.816, 40.8138], [-73.83, 40.8108], // Fort Schuyler
  [-73.8344, 40.8055], [-73.8425, 40.816], [-73.8487, 40.8052], [-73.856, 40.805], // Ferry Point, Clason Point
  [-73.8595, 40.8085], [-73.8735, 40.801], [-73.895, 40.8065], [-73.911, 40.7985], // Hunts Point, Port Morris
  [-73.9145, 40.794], [-73.9225, 40.785], // Randalls and Wards Islands, Hell Gate
  [-73.92, 40.7825], [-73.91, 40.7905], [-73.8965, 40.7865], [-73.9015, 40.7808], // Astoria
  [-73.8945, 40.784], [-73.8908, 40.7755], [-73.884, 40.7745], // Steinway
  [-73.8848, 40.7797], [-73.8755, 40.7812], [-73.8712, 40.7857], [-73.8722, 40.7808], // LaGuardia
  [-73.8555, 40.7722], [-73.862, 40.7668], [-73.859, 40.7622], [-73.851, 40.7597], [-73.84, 40.7635], // Flushing Bay
  [-73.848, 40.7668], [-73.8497, 40.782], [-73.858, 40.7855], [-73.853, 40.793], // College Point
  [-73.8393, 40.7965], [-73.837, 40.789], [-73.832, 40.7888], [-73.829, 40.796], [-73.82, 40.8], // Whitestone
  [-73.7945, 40.7948], [-73.793, 40.7892], [-73.7765, 40.7955], [-73.7715, 40.7885], // Bay Terrace, Fort Totten
  [-73.7752, 40.7868], [-73.7545, 40.7652], [-73.755, 40.7776], [-73.752, 40.782], [-73.7475, 40.78], // Little Neck Bay
  [-73.738, 40.7705], [-73.718, 40.757], [-73.702, 40.752], [-73.7025, 40.739], // the county line, Glen Oaks
  [-73.727, 40.722], [-73.7265, 40.683], [-73.7275, 40.653], [-73.742, 40.647], // Queens Village, Rosedale
  [-73.748, 40.643], [-73.7485, 40.6358], [-73.766, 40.6285], [-73.7705, 40.6205], // Kennedy, from here
  [-73.777, 40.6272], [-73.785, 40.6208], [-73.789, 40.623], [-73.7832, 40.6305], [-73.8215, 40.6498], // to here
  [-73.8225, 40.658], [-73.829, 40.656], [-73.8362, 40.6462], [-73.8505, 40.6453], // Howard Beach
  [-73.8572, 40.644], [-73.8695, 40.6388], [-73.8765, 40.6362], [-73.8826, 40.6286], [-73.896, 40.6223], // Canarsie
  [-73.8962, 40.615], [-73.8905, 40.6108], [-73.8995, 40.606], [-73.884, 40.6056], // Bergen Beach
  [-73.877, 40.585], [-73.88, 40.5803], [-73.895, 40.577], [-73.8994, 40.5876], [-73.9115, 40.586], // Floyd Bennett
  [-73.914, 40.5815], [-73.932, 40.5762], [-73.952, 40.5742], [-73.98, 40.5722], // Manhattan Beach, Coney Island
  [-74.002, 40.5702], [-74.011, 40.5742], [-74.0115, 40.58], // Sea Gate
  [-74.0003, 40.583], [-74.0005, 40.5865], [-74.0092, 40.6], [-74.03, 40.605], // Bath Beach
  [-74.036, 40.6094], [-74.0415, 40.621], [-74.0385, 40.6393], [-74.0262, 40.6458], // Fort Hamilton, Bay Ridge
  [-74.021, 40.654], [-74.0142, 40.6568], [-74.009, 40.6595], [-74.001, 40.6635], [-74.0005, 40.668], // Gowanus Bay
  [-74.01, 40.6685], [-74.0165, 40.665], [-74.019, 40.672], [-74.0193, 40.679], // Red Hook
  [-74.006, 40.686], [-74.0045, 40.6915], [-74.0135, 40.7002], // Brooklyn Heights, across to the Battery
];

// Manhattan up to 125th Street, along the Hudson and the middle of the East River
// biome-ignore format: one stretch of shore per line
const manhattan: Ring = [
  [-74.0135, 40.7006], [-74.0165, 40.7035], [-74.0172, 40.71], [-74.0127, 40.7195], [-74.0108, 40.7295],
  [-74.0083, 40.742], [-74.0072, 40.749], [-74.0024, 40.7593], [-73.9888, 40.7785], [-73.9725, 40.8025],
  [-73.96, 40.8182], [-73.949, 40.812], [-73.93, 40.803], // 125th Street
  [-73.935, 40.79], [-73.941, 40.775], [-73.957, 40.756], [-73.968, 40.74], [-73.97, 40.718], // East River
  [-73.978, 40.7085], [-73.995, 40.7065], [-74.006, 40.7015], [-74.0135, 40.7006],
];

// biome-ignore format: four corners per line
const unitedNations: Ring = [
  [-73.9695, 40.752], [-73.9668, 40.7508], [-73.969, 40.7475], [-73.9715, 40.7487],
  [-73.9695, 40.752],
];

// biome-ignore format: four corners per line
const laGuardiaMarineTerminal: Ring = [
  [-73.8878, 40.7742], [-73.8846, 40.774], [-73.8846, 40.7722], [-73.8872, 40.7718],
  [-73.8878, 40.7742],
];

export const newYork: ServiceArea = {
  id: 'new-york',
  name: 'New York',
  timeZone: 'America/New_York',
  currency: 'USD',
  boundary,
  zones: { manhattan: { name: 'Manhattan up to 125th Street', boundary: manhattan } },
  prohibitedDropOffs: [
    {
      name: 'United Nations Headquarters',
      boundary: unitedNations,
      message: 'Drop-offs at the United Nations are not permitted. Please choose a place west of First Avenue.',
    },
    {
      name: 'LaGuardia Airport, Marine Air Terminal',
      boundary: laGuardiaMarineTerminal,
      message: 'Drop-offs at the Marine Air Terminal are not permitted. Please choose LaGuardia Terminal B instead.',
    },
  ],
  streetBearing: 29,
  cityKmPerHour: 18,
  rideTypes: priceList({ trustAndService: 200, cancelPenalty: 500 }, [
    // ride type, share of cars, base charge, per mile, per minute, minimum
    ['svc_line', 0.4, 200, 140, 28, 650, { onlyInZone: 'manhattan' }],
    ['svc', 0.85, 255, 175, 35, 800],
    ['svc_plus', 0.25, 385, 285, 50, 1050],
    ['svc_premier', 0.2, 500, 325, 55, 1250],
    ['svc_lux', 0.12, 700, 375, 65, 1500, { cancelPenalty: 1000 }],
    ['svc_luxsuv', 0.1, 1400, 450, 80, 2500, { cancelPenalty: 1000 }],
  ]),
  primeTime: [
    { days: [1, 2, 3, 4, 5], fromHour: 8, toHour: 10, percent: 25 },
    { days: [1, 2, 3, 4, 5], fromHour: 17, toHour: 19, percent: 50 },
    { days: [5, 6], fromHour: 23, toHour: 24, percent: 50 },
    { days: [6, 7], fromHour: 0, toHour: 3, percent: 75 },
  ],
  regionalCharges: [
    { name: 'New York Sales Tax', percent: 8.875 },
    { name: 'Black Car Fund Surcharge', percent: 2.5 },
  ],
  cancelGraceSeconds: 120,
  fleet: { carsPerSquareKm: 8, plateState: 'NY', platePattern: 'T999999C', phonePrefix: '+121255501', phoneDigits: 11 },
};
