import type { Ring } from '../domain/geo.ts';
import type { ServiceArea } from '../domain/service-area.ts';
import { priceList } from './ride-types.ts';

// Traced by hand from general knowledge of the public map, clockwise: the Bay shore from the Golden Gate past the
// piers, Hunters Point, Candlestick Point, Sierra Point and the airport to Burlingame, inland along El Camino and
// Skyline Boulevard, back up the Pacific beaches. Land and water were checked against the coastline of OpenStreetMap
// (its contributors, ODbL). Treasure Island is left out.
// biome-ignore format: one stretch of shore per line, named for where it ends
const boundary: Ring = [
  [-122.4776, 37.8112], [-122.4762, 37.8108], // Fort Point
  [-122.471, 37.8083], [-122.465, 37.8062], // Crissy Field
  [-122.452, 37.8066], [-122.442, 37.808], // yacht harbor
  [-122.437, 37.8073], // Marina Green
  [-122.4325, 37.8063], [-122.429, 37.8085], // Fort Mason
  [-122.4262, 37.8088], [-122.4235, 37.807], // Aquatic Park
  [-122.4205, 37.8095], [-122.417, 37.8098], // Pier 45
  [-122.4095, 37.8105], // Pier 39
  [-122.4045, 37.8073], [-122.401, 37.806], // Pier 27
  [-122.3962, 37.8022], [-122.3945, 37.7995], [-122.3922, 37.7955], // Ferry Building
  [-122.388, 37.789], // Bay Bridge
  [-122.3865, 37.785], [-122.3875, 37.7815], // South Beach
  [-122.388, 37.7775], // China Basin
  [-122.3845, 37.774], [-122.385, 37.769], // Mission Bay
  [-122.381, 37.763], // Pier 70
  [-122.3805, 37.756], [-122.376, 37.75], // Pier 80
  [-122.379, 37.747], // Islais Creek
  [-122.373, 37.744], [-122.369, 37.7395], // Heron's Head
  [-122.374, 37.733], // India Basin
  [-122.364, 37.7305], [-122.3585, 37.7275], // Hunters Point
  [-122.363, 37.719], [-122.377, 37.7228], [-122.381, 37.716], [-122.3795, 37.711], // Candlestick Point
  [-122.386, 37.7085], [-122.394, 37.7062], [-122.391, 37.69], // Brisbane
  [-122.3885, 37.6795], [-122.3818, 37.6765], // Sierra Point
  [-122.3825, 37.672], [-122.388, 37.6705], [-122.3945, 37.666], [-122.387, 37.6655],
  [-122.377, 37.665], [-122.3765, 37.6625], // Oyster Point
  [-122.3795, 37.6605], [-122.3765, 37.655], // Point San Bruno
  [-122.381, 37.6485], [-122.391, 37.6475], [-122.392, 37.64], [-122.3815, 37.636], // airport, north shore
  [-122.3875, 37.634], [-122.387, 37.6295], [-122.379, 37.6308],
  [-122.374, 37.6275], [-122.3662, 37.6272], // airport, north ends of runways 1
  [-122.369, 37.6205], [-122.3562, 37.6145], // airport, east ends of runways 28
  [-122.359, 37.61], [-122.3715, 37.614], [-122.3788, 37.6058], // airport, south shore
  [-122.3735, 37.603], [-122.3647, 37.598], // Burlingame shore
  [-122.3605, 37.5915], [-122.345, 37.589], [-122.342, 37.578], // Burlingame, downtown
  [-122.375, 37.57], // Hillsborough
  [-122.395, 37.582], [-122.417, 37.602], // Millbrae, Highway 280
  [-122.44, 37.622], // San Bruno
  [-122.462, 37.642], // Skyline Boulevard
  [-122.48, 37.655], [-122.494, 37.667], // Mussel Rock
  [-122.498, 37.69], // Thornton Beach
  [-122.5025, 37.714], // Fort Funston
  [-122.507, 37.735], // the zoo
  [-122.5105, 37.76], // Ocean Beach
  [-122.5145, 37.7785], [-122.5143, 37.7805], // Cliff House
  [-122.5068, 37.7887], // Lands End
  [-122.493, 37.7885], [-122.4865, 37.7902], [-122.4842, 37.795], // Baker Beach
  [-122.481, 37.8005], [-122.479, 37.809], [-122.4776, 37.8112],
];

// Between Van Ness Avenue, the Embarcadero and the ballpark: the blocks north and south of Market Street
// biome-ignore format: four corners per line
const downtown: Ring = [
  [-122.4248, 37.8045], [-122.41, 37.807], [-122.4, 37.8], [-122.3945, 37.795],
  [-122.3895, 37.7885], [-122.389, 37.7795], [-122.3945, 37.7765], [-122.407, 37.77],
  [-122.4192, 37.7745], [-122.4248, 37.8045],
];

// biome-ignore format: four corners per line
const airportTerminals: Ring = [
  [-122.3965, 37.6225], [-122.372, 37.6225], [-122.372, 37.6165], [-122.381, 37.611],
  [-122.391, 37.6095], [-122.3965, 37.614], [-122.3965, 37.6225],
];

// biome-ignore format: four corners per line
const bridgePlaza: Ring = [
  [-122.4765, 37.809], [-122.4735, 37.8082], [-122.4735, 37.806], [-122.4765, 37.8062],
  [-122.4765, 37.809],
];

export const sanFrancisco: ServiceArea = {
  id: 'san-francisco',
  name: 'San Francisco',
  timeZone: 'America/Los_Angeles',
  currency: 'USD',
  boundary,
  zones: { downtown: { name: 'downtown San Francisco', boundary: downtown } },
  prohibitedDropOffs: [
    {
      name: 'San Francisco International Airport, terminals',
      boundary: airportTerminals,
      message: 'Drop-offs at the SFO terminals are not permitted. Please choose the airport rental car center instead.',
    },
    {
      name: 'Golden Gate Bridge Welcome Center',
      boundary: bridgePlaza,
      message: 'Drop-offs at the Golden Gate Bridge plaza are not permitted. Please choose a place on Crissy Field.',
    },
  ],
  streetBearing: 81,
  cityKmPerHour: 24,
  rideTypes: priceList({ trustAndService: 270, cancelPenalty: 500 }, [
    // ride type, share of cars, base charge, per mile, per minute, minimum
    ['svc_line', 0.5, 150, 90, 28, 400, { trustAndService: 230 }],
    ['svc', 0.85, 220, 115, 38, 500],
    ['svc_plus', 0.25, 380, 210, 60, 800],
    ['svc_premier', 0.15, 500, 260, 65, 1000],
    ['svc_lux', 0.1, 800, 375, 80, 1500, { cancelPenalty: 1000, onlyInZone: 'downtown' }],
  ]),
  primeTime: [
    { days: [1, 2, 3, 4, 5], fromHour: 8, toHour: 9, percent: 25 },
    { days: [1, 2, 3, 4, 5], fromHour: 17, toHour: 19, percent: 25 },
    { days: [5, 6], fromHour: 22, toHour: 24, percent: 75 },
    { days: [6, 7], fromHour: 0, toHour: 2, percent: 100 },
  ],
  regionalCharges: [
    { name: 'San Francisco Traffic Congestion Mitigation Tax', percent: 3.25 },
    { name: 'California Access for All Fee', flat: 10 },
  ],
  cancelGraceSeconds: 120,
  fleet: { carsPerSquareKm: 6, plateState: 'CA', platePattern: '9AAA999', phonePrefix: '+141555501', phoneDigits: 11 },
};
