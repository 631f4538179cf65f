import type { Ring } from '../domain/geo.ts';
import type { ServiceArea } from '../domain/service-area.ts';
import { priceList } from './ride-types.ts';

// Traced by hand from general knowledge of the public map, clockwise: the Lake Michigan shore from Howard Street past
// Montrose Harbor, Navy Pier, the Museum Campus, Promontory Point and Calumet Park to the Indiana line, then the city
// line by its streets (138th, Western, Cicero, Roosevelt, Austin, Harlem), around Midway, and out along the Kennedy
// Expressway around O'Hare. The small harbors and Evergreen Park lie inside.
// biome-ignore format: one stretch of shore or border per line
const boundary: Ring = [
  [-87.6652, 42.0225], [-87.6605, 42.015], [-87.6575, 42.0075], [-87.6545, 41.9985], // Juneway Beach to Loyola
  [-87.6535, 41.988], [-87.649, 41.9785], [-87.6465, 41.972], // Kathy Osterman and Foster beaches
  [-87.639, 41.9675], [-87.6315, 41.9655], [-87.633, 41.961], [-87.6395, 41.958], // Montrose Harbor
  [-87.6375, 41.951], [-87.636, 41.943], [-87.6325, 41.934], [-87.63, 41.926], // Belmont and Diversey harbors
  [-87.6255, 41.9165], [-87.6235, 41.911], [-87.624, 41.9055], [-87.6195, 41.9015], // North Avenue and Oak Street
  [-87.616, 41.896], [-87.613, 41.893], [-87.5985, 41.8925], [-87.5985, 41.8908], [-87.611, 41.8905], // Navy Pier
  [-87.6125, 41.886], [-87.616, 41.8845], [-87.617, 41.876], [-87.6165, 41.87], [-87.613, 41.868], // Grant Park
  [-87.6055, 41.867], [-87.6055, 41.862], [-87.6075, 41.853], [-87.6115, 41.8525], // Northerly Island
  [-87.6085, 41.8455], [-87.606, 41.839], [-87.6005, 41.828], [-87.591, 41.816], // 31st Street Beach
  [-87.582, 41.805], [-87.575, 41.7965], [-87.578, 41.792], [-87.5725, 41.783], // Promontory Point, 57th Street Beach
  [-87.5635, 41.774], [-87.556, 41.768], [-87.548, 41.759], [-87.541, 41.751], // South Shore, Rainbow Beach
  [-87.531, 41.7435], [-87.529, 41.735], [-87.5285, 41.722], [-87.5245, 41.709], // Steelworkers Park, Calumet Park
  [-87.5245, 41.6445], [-87.617, 41.6455], [-87.637, 41.6585], [-87.6465, 41.6765], // Indiana line, 138th Street
  [-87.683, 41.677], [-87.7205, 41.683], [-87.7205, 41.7055], [-87.7405, 41.72], // Mount Greenwood
  [-87.7415, 41.734], [-87.7418, 41.77], [-87.8015, 41.7715], [-87.8015, 41.7925], // around Midway
  [-87.7425, 41.7937], [-87.7415, 41.8215], [-87.7392, 41.8655], // Cicero Avenue
  [-87.774, 41.866], [-87.7752, 41.9085], [-87.8055, 41.909], [-87.8065, 41.938], // Roosevelt, Austin, Harlem
  [-87.837, 41.938], [-87.8372, 41.968], [-87.875, 41.967], [-87.884, 41.955], // Belmont, Cumberland, Schiller Park
  [-87.935, 41.9505], [-87.9445, 41.972], [-87.943, 41.9975], [-87.93, 42.008], // O'Hare
  [-87.892, 42.008], [-87.875, 41.9965], [-87.837, 41.994], // Kennedy Expressway
  [-87.8205, 42.0185], [-87.8065, 42.0145], [-87.7995, 41.998], // Edison Park
  [-87.7755, 41.9975], [-87.762, 42.0105], [-87.749, 41.9975], // Edgebrook
  [-87.7092, 41.997], [-87.709, 42.019], [-87.69, 42.0193], [-87.6652, 42.0225], // Devon, Kedzie, Howard
];

// The Loop, River North and the Museum Campus
// biome-ignore format: four corners per line
const downtown: Ring = [
  [-87.647, 41.903], [-87.6265, 41.903], [-87.6185, 41.897], [-87.615, 41.892],
  [-87.6145, 41.8875], [-87.6175, 41.8835], [-87.6178, 41.87], [-87.619, 41.861],
  [-87.647, 41.861], [-87.647, 41.903],
];

// Ends before the rapid transit station east of Cicero Avenue
// biome-ignore format: four corners per line
const midway: Ring = [
  [-87.762, 41.7928], [-87.739, 41.7928], [-87.739, 41.7785], [-87.762, 41.778],
  [-87.762, 41.7928],
];

export const chicago: ServiceArea = {
  id: 'chicago',
  name: 'Chicago',
  timeZone: 'America/Chicago',
  currency: 'USD',
  boundary,
  zones: { downtown: { name: 'downtown Chicago', boundary: downtown } },
  prohibitedDropOffs: [
    {
      name: 'Midway International Airport',
      boundary: midway,
      message: 'Drop-offs at Midway are not permitted. Please choose the Orange Line station next to the terminal.',
    },
  ],
  streetBearing: 0,
  cityKmPerHour: 26,
  rideTypes: priceList({ trustAndService: 185, cancelPenalty: 500 }, [
    // ride type, share of cars, base charge, per mile, per minute, minimum
    ['svc_line', 0.5, 120, 75, 15, 330],
    ['svc', 0.9, 170, 90, 20, 440],
    ['svc_plus', 0.25, 250, 150, 30, 600],
    ['svc_lux', 0.1, 600, 340, 50, 1200, { cancelPenalty: 1000, onlyInZone: 'downtown' }],
  ]),
  primeTime: [
    { days: [1, 2, 3, 4, 5], fromHour: 7, toHour: 9, percent: 25 },
    { days: [1, 2, 3, 4], fromHour: 17, toHour: 18, percent: 25 },
    { days: [5], fromHour: 16, toHour: 19, percent: 50 },
    { days: [6, 7], fromHour: 0, toHour: 3, percent: 75 },
  ],
  regionalCharges: [{ name: 'Chicago Ground Transportation Tax', flat: 72 }],
  cancelGraceSeconds: 120,
  fleet: { carsPerSquareKm: 5, plateState: 'IL', platePattern: 'AA 99999', phonePrefix: '+131255501', phoneDigits: 11 },
};
