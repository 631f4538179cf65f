import type { Ring } from '../domain/geo.ts';
import type { ServiceArea } from '../domain/service-area.ts';
import { priceList } from './ride-types.ts';

// Traced by hand from general knowledge of the public map, clockwise from the north city line: down Lake Washington
// past Sand Point and Seward Park, around Renton's edge, south past Southcenter to Sea-Tac, back up Puget Sound by
// Three Tree Point, Alki, Elliott Bay, West Point and Shilshole. Salt water was checked against the coastline of
// OpenStreetMap (its contributors, ODbL). Lake Union, the ship canal and Green Lake lie inside.
// biome-ignore format: one stretch of shore or border per line
const boundary: Ring = [
  [-122.3735, 47.734], [-122.2855, 47.734], [-122.284, 47.7235], [-122.277, 47.712], // 145th Street, Lake City
  [-122.2715, 47.701], [-122.264, 47.695], [-122.2525, 47.689], [-122.247, 47.6825], // Matthews Beach, Sand Point
  [-122.2535, 47.673], [-122.261, 47.666], [-122.268, 47.655], [-122.277, 47.6485], // Magnuson Park, Laurelhurst
  [-122.284, 47.6535], [-122.2945, 47.655], [-122.3, 47.648], [-122.2935, 47.641], // Union Bay
  [-122.2765, 47.638], [-122.2775, 47.628], [-122.2825, 47.614], [-122.2845, 47.602], // Madison Park, Leschi
  [-122.2865, 47.59], [-122.287, 47.577], [-122.276, 47.5715], [-122.2665, 47.561], // Mount Baker
  [-122.2585, 47.552], [-122.2555, 47.558], [-122.249, 47.5605], [-122.2455, 47.553], // Seward Park
  [-122.256, 47.548], [-122.263, 47.539], [-122.261, 47.528], [-122.2515, 47.516], // Rainier Beach
  [-122.2335, 47.5035], [-122.2265, 47.487], [-122.238, 47.47], [-122.2445, 47.4555], // Renton, Southcenter
  [-122.254, 47.445], [-122.269, 47.43], [-122.2845, 47.41], [-122.293, 47.396], // Tukwila, SeaTac
  [-122.3245, 47.395], [-122.331, 47.4055], [-122.341, 47.42], [-122.3505, 47.43], // Des Moines
  [-122.354, 47.4405], [-122.3755, 47.4505], [-122.3715, 47.457], [-122.3655, 47.465], // Three Tree Point
  [-122.3625, 47.483], [-122.3685, 47.4925], [-122.3865, 47.5025], [-122.395, 47.5125], // Burien, Seola Beach
  [-122.3955, 47.5228], [-122.399, 47.53], [-122.391, 47.541], [-122.398, 47.553], // Lincoln Park
  [-122.4055, 47.565], [-122.411, 47.5695], [-122.4212, 47.576], [-122.42, 47.578], // Alki Point
  [-122.4105, 47.581], [-122.396, 47.588], // Alki Beach
  [-122.388, 47.595], [-122.3862, 47.5962], [-122.378, 47.589], // Duwamish Head
  [-122.365, 47.5835], [-122.358, 47.587], [-122.35, 47.588], [-122.343, 47.5915],
  [-122.341, 47.5985], [-122.339, 47.6018], // Harbor Island, Colman Dock
  [-122.3432, 47.606], [-122.3495, 47.611], [-122.358, 47.6165], // the piers
  [-122.3685, 47.623], [-122.3775, 47.6268], // Myrtle Edwards Park
  [-122.3845, 47.6265], [-122.3845, 47.633], [-122.395, 47.6312], [-122.412, 47.639], [-122.4165, 47.646], // Magnolia
  [-122.42, 47.654], [-122.4362, 47.6618], [-122.426, 47.666], [-122.4135, 47.671], // West Point
  [-122.404, 47.675], [-122.4045, 47.683], [-122.4055, 47.6925], [-122.396, 47.6985], // Shilshole, Golden Gardens
  [-122.381, 47.711], [-122.378, 47.72], [-122.3735, 47.734], // Carkeek Park
];

// Belltown, Pike Place, the office towers, Pioneer Square and the stadiums
// biome-ignore format: four corners per line
const downtown: Ring = [
  [-122.3575, 47.6195], [-122.336, 47.621], [-122.328, 47.614], [-122.3245, 47.604],
  [-122.327, 47.591], [-122.3365, 47.591], [-122.3365, 47.602], [-122.345, 47.61],
  [-122.355, 47.6165], [-122.3575, 47.6195],
];

export const seattle: ServiceArea = {
  id: 'seattle',
  name: 'Seattle',
  timeZone: 'America/Los_Angeles',
  currency: 'USD',
  boundary,
  zones: { downtown: { name: 'downtown Seattle', boundary: downtown } },
  prohibitedDropOffs: [],
  streetBearing: 0,
  cityKmPerHour: 28,
  rideTypes: priceList({ trustAndService: 175, cancelPenalty: 500 }, [
    // ride type, share of cars, base charge, per mile, per minute, minimum
    ['svc_line', 0.5, 115, 110, 18, 350],
    ['svc', 0.9, 135, 135, 24, 480],
    ['svc_premier', 0.15, 500, 275, 45, 1000, { onlyInZone: 'downtown' }],
  ]),
  primeTime: [
    { days: [1, 2, 3, 4, 5], fromHour: 17, toHour: 18, percent: 25 },
    { days: [5, 6], fromHour: 22, toHour: 24, percent: 50 },
    { days: [6, 7], fromHour: 0, toHour: 2, percent: 75 },
  ],
  regionalCharges: [{ name: 'Seattle Per-Ride Fee', flat: 24 }],
  cancelGraceSeconds: 120,
  fleet: { carsPerSquareKm: 4, plateState: 'WA', platePattern: 'AAA9999', phonePrefix: '+120655501', phoneDigits: 11 },
};
