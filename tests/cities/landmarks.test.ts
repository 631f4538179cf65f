import { expect, test } from 'vitest';
import { geography } from '../../server/cities/geography.ts';
import { areaAt, prohibitedDropOffAt } from '../../server/domain/areas.ts';

/**
 * Where a landmark is: inside the area; outside, which is in the water next to it or in a neighboring city; or at an
 * airport in the area, where drop-offs are allowed or not.
 */
type Kind = 'inside' | 'outside' | 'airport' | 'no drop-off';
type Landmark = readonly [kind: Kind, name: string, lat: number, lng: number];

// published coordinates, accurate to about 100 meters, of well-known places, mostly near a boundary
const LANDMARKS: Readonly<Record<string, readonly Landmark[]>> = {
  'san-francisco': [
    ['inside', 'Ferry Building', 37.7955, -122.3937],
    ['inside', 'Palace of Fine Arts', 37.8029, -122.4484],
    ['inside', 'Oracle Park', 37.7786, -122.3893],
    ['inside', 'Chase Center', 37.768, -122.3877],
    ['inside', 'Cliff House', 37.7784, -122.5138],
    ['inside', 'San Francisco Zoo', 37.733, -122.503],
    ['inside', 'Fort Point', 37.8106, -122.4769],
    ['inside', 'Pier 39', 37.8087, -122.4098],
    ['inside', 'Cow Palace, Daly City', 37.7067, -122.4186],
    ['inside', 'Millbrae station', 37.6003, -122.3867],
    ['outside', 'the Bay under the Bay Bridge', 37.798, -122.378],
    ['outside', 'the Bay off Hunters Point', 37.735, -122.345],
    ['outside', 'the Pacific off Ocean Beach', 37.76, -122.53],
    ['outside', 'Golden Gate, middle of the bridge', 37.8199, -122.4783],
    ['outside', 'Pacifica Pier', 37.6333, -122.495],
    ['no drop-off', 'San Francisco International', 37.6213, -122.379],
    ['no drop-off', 'San Francisco International, Terminal 2', 37.6158, -122.3844],
    ['airport', 'San Francisco International, rental car center', 37.6292, -122.4003],
  ],
  'new-york': [
    ['inside', 'One World Trade Center', 40.7127, -74.0134],
    ['inside', 'Battery Park, Castle Clinton', 40.7035, -74.0168],
    ['inside', 'Grand Central Terminal', 40.7527, -73.9772],
    ['inside', 'The Cloisters', 40.8649, -73.9317],
    ['inside', 'Citi Field', 40.7571, -73.8458],
    ['inside', 'Flushing, Main Street', 40.7596, -73.8301],
    ['inside', 'Coney Island, the Cyclone', 40.5745, -73.9779],
    ['inside', 'Fort Totten', 40.7925, -73.779],
    ['inside', 'Red Hook, Fairway building', 40.6752, -74.0165],
    ['inside', 'City Island Avenue', 40.847, -73.7865],
    ['outside', 'Hoboken Terminal', 40.735, -74.0278],
    ['outside', 'the Hudson off 79th Street', 40.7915, -73.9905],
    ['outside', 'the Upper Bay off Red Hook', 40.675, -74.035],
    ['outside', 'Jamaica Bay', 40.6, -73.84],
    ['outside', 'Great Neck', 40.787, -73.727],
    ['airport', 'John F. Kennedy International', 40.6413, -73.7781],
    ['airport', 'LaGuardia, Terminal B', 40.7745, -73.872],
    ['no drop-off', 'LaGuardia, Marine Air Terminal', 40.7734, -73.8859],
  ],
  chicago: [
    ['inside', 'Cloud Gate', 41.8827, -87.6233],
    ['inside', 'Navy Pier, the wheel', 41.8919, -87.6075],
    ['inside', 'Wrigley Field', 41.9484, -87.6553],
    ['inside', 'Lincoln Park Zoo', 41.9211, -87.634],
    ['inside', 'Shedd Aquarium', 41.8676, -87.614],
    ['inside', 'Adler Planetarium', 41.8663, -87.6068],
    ['inside', 'Soldier Field', 41.8623, -87.6167],
    ['inside', 'Griffin Museum of Science and Industry', 41.7906, -87.5831],
    ['inside', 'South Shore Cultural Center', 41.7709, -87.5645],
    ['inside', 'Loyola University', 41.9993, -87.6578],
    ['outside', 'Lake Michigan off Oak Street', 41.905, -87.6],
    ['outside', 'Lake Michigan off Montrose Point', 41.965, -87.61],
    ['outside', 'the Chicago Harbor Lighthouse', 41.8894, -87.5907],
    ['outside', 'Oak Park, Frank Lloyd Wright Home', 41.8942, -87.7998],
    ['outside', 'Cicero Town Hall', 41.845, -87.7539],
    ['airport', "O'Hare International", 41.9786, -87.9048],
    ['airport', "O'Hare International, Terminal 5", 41.9742, -87.8905],
    ['no drop-off', 'Midway International', 41.7868, -87.7522],
    ['airport', 'Midway, Orange Line station', 41.7866, -87.7379],
  ],
  seattle: [
    ['inside', 'Space Needle', 47.6205, -122.3493],
    ['inside', 'Pike Place Market', 47.6097, -122.3422],
    ['inside', 'Smith Tower', 47.6019, -122.3318],
    ['inside', 'Lumen Field', 47.5952, -122.3316],
    ['inside', 'Seattle Aquarium', 47.6074, -122.3429],
    ['inside', 'Husky Stadium', 47.6503, -122.3016],
    ['inside', 'Golden Gardens Park', 47.6915, -122.4025],
    ['inside', 'Alki Point Lighthouse', 47.5763, -122.4203],
    ['inside', 'Southcenter', 47.4587, -122.258],
    ['inside', 'Discovery Park visitor center', 47.6583, -122.4061],
    ['outside', 'Elliott Bay', 47.605, -122.37],
    ['outside', 'Puget Sound off West Point', 47.665, -122.46],
    ['outside', 'Lake Washington, the floating bridge', 47.641, -122.25],
    ['outside', 'Mercer Island', 47.5707, -122.2221],
    ['outside', 'Bellevue, downtown park', 47.6125, -122.204],
    ['airport', 'Seattle-Tacoma International', 47.4502, -122.3088],
    ['airport', 'Seattle-Tacoma International, terminal', 47.4435, -122.3015],
  ],
  london: [
    ['inside', 'Charing Cross', 51.5074, -0.1278],
    ['inside', 'Buckingham Palace', 51.5014, -0.1419],
    ['inside', 'Wembley Stadium', 51.556, -0.2796],
    ['inside', 'Kew Gardens', 51.4787, -0.2956],
    ['inside', 'Wimbledon, Centre Court', 51.4337, -0.2143],
    ['inside', 'Alexandra Palace', 51.5941, -0.1306],
    ['inside', 'East Croydon station', 51.3752, -0.0927],
    ['inside', 'Olympic Stadium, Stratford', 51.5387, -0.0166],
    ['inside', 'Kingston upon Thames', 51.4123, -0.3007],
    ['inside', 'Romford station', 51.5749, 0.1832],
    ['outside', 'Windsor Castle', 51.4839, -0.6044],
    ['outside', 'Watford Junction', 51.6635, -0.3965],
    ['outside', 'Dartford station', 51.4474, 0.2193],
    ['outside', 'Epsom', 51.3334, -0.2687],
    ['outside', 'Waltham Abbey', 51.6877, -0.0036],
    ['airport', 'Heathrow', 51.47, -0.4543],
    ['airport', 'Heathrow, Terminal 5', 51.4723, -0.4887],
    ['no drop-off', 'London City', 51.5053, 0.0553],
    ['airport', 'Pontoon Dock station', 51.5022, 0.0319],
  ],
};

test('every city has at least ten landmarks inside, five outside and an airport', () => {
  expect(Object.keys(LANDMARKS).sort()).toEqual(geography.areas.map(({ id }) => id).sort());
  for (const landmarks of Object.values(LANDMARKS)) {
    const count = (...kinds: Kind[]) => landmarks.filter(([kind]) => kinds.includes(kind)).length;
    expect(count('inside')).toBeGreaterThanOrEqual(10);
    expect(count('outside')).toBeGreaterThanOrEqual(5);
    expect(count('airport', 'no drop-off')).toBeGreaterThanOrEqual(1);
  }
});

const rows = Object.entries(LANDMARKS).flatMap(([areaId, all]) =>
  all.map((landmark) => [areaId, ...landmark] as const),
);
test.each(rows)('%s, %s: %s', (areaId, kind, _, lat, lng) => {
  expect(areaAt(geography, { lat, lng })?.id).toBe(kind === 'outside' ? undefined : areaId);
  expect(prohibitedDropOffAt(geography, { lat, lng }) !== undefined).toBe(kind === 'no drop-off');
});
