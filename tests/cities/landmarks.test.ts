import { expect, test } from 'vitest';
import { geography } from '../../server/cities/geography.ts';
import { areaAt, prohibitedDropOffAt } from '../../server/domain/areas.ts';

/**
 * Where a landmark is: inside the area; outside, which is in the water next to it or in a neighboring city; or at an
 * airport in the area, where drop-offs are allowed or not.
 */
type Kind = 'inside' | 'outside' | 'airport' | 'no drop-off';
type Landmark = readonly [kind: Kind, name: string, lat: number, lng: number];

// published coordinates of well-known places, accurate to about 100 meters
const LANDMARKS: Readonly<Record<string, readonly Landmark[]>> = {
  'san-francisco': [
    ['inside', 'Ferry Building', 37.7955, -122.3937],
    ['inside', 'Coit Tower', 37.8024, -122.4058],
    ['inside', 'Transamerica Pyramid', 37.7952, -122.4028],
    ['inside', 'City Hall', 37.7793, -122.4193],
    ['inside', 'Palace of Fine Arts', 37.8029, -122.4484],
    ['inside', 'Oracle Park', 37.7786, -122.3893],
    ['inside', 'Chase Center', 37.768, -122.3877],
    ['inside', 'Mission Dolores', 37.7645, -122.4269],
    ['inside', 'Cliff House', 37.7784, -122.5138],
    ['inside', 'San Francisco Zoo', 37.733, -122.503],
    ['inside', 'Twin Peaks', 37.7544, -122.4477],
    ['inside', 'Fort Point', 37.8106, -122.4769],
    ['inside', 'Pier 39', 37.8087, -122.4098],
    ['inside', 'Cow Palace, Daly City', 37.7067, -122.4186],
    ['inside', 'Millbrae station', 37.6003, -122.3867],
    ['outside', 'Alcatraz', 37.827, -122.423],
    ['outside', 'the Bay under the Bay Bridge', 37.798, -122.378],
    ['outside', 'the Bay off Hunters Point', 37.735, -122.345],
    ['outside', 'the Pacific off Ocean Beach', 37.76, -122.53],
    ['outside', 'Golden Gate, middle of the bridge', 37.8199, -122.4783],
    ['outside', 'Sausalito', 37.8591, -122.4853],
    ['outside', 'Oakland City Hall', 37.8053, -122.2725],
    ['outside', 'Berkeley, Sather Tower', 37.8721, -122.2578],
    ['outside', 'Pacifica Pier', 37.6333, -122.495],
    ['no drop-off', 'San Francisco International', 37.6213, -122.379],
    ['no drop-off', 'San Francisco International, Terminal 2', 37.6158, -122.3844],
    ['airport', 'San Francisco International, rental car center', 37.6292, -122.4003],
  ],
  'new-york': [
    ['inside', 'Empire State Building', 40.7484, -73.9857],
    ['inside', 'Times Square', 40.758, -73.9855],
    ['inside', 'One World Trade Center', 40.7127, -74.0134],
    ['inside', 'Battery Park, Castle Clinton', 40.7035, -74.0168],
    ['inside', 'Grand Central Terminal', 40.7527, -73.9772],
    ['inside', 'The Cloisters', 40.8649, -73.9317],
    ['inside', 'Yankee Stadium', 40.8296, -73.9262],
    ['inside', 'Bronx Zoo', 40.8506, -73.877],
    ['inside', 'Citi Field', 40.7571, -73.8458],
    ['inside', 'Flushing, Main Street', 40.7596, -73.8301],
    ['inside', 'Barclays Center', 40.6826, -73.9754],
    ['inside', 'Prospect Park', 40.6602, -73.969],
    ['inside', 'Coney Island, the Cyclone', 40.5745, -73.9779],
    ['inside', 'Fort Totten', 40.7925, -73.779],
    ['inside', 'Red Hook, Fairway building', 40.6752, -74.0165],
    ['inside', 'City Island Avenue', 40.847, -73.7865],
    ['outside', 'Statue of Liberty', 40.6892, -74.0445],
    ['outside', 'Hoboken Terminal', 40.735, -74.0278],
    ['outside', 'Jersey City, Exchange Place', 40.7163, -74.0329],
    ['outside', 'St. George Ferry Terminal, Staten Island', 40.6437, -74.0736],
    ['outside', 'the Hudson off 79th Street', 40.7915, -73.9905],
    ['outside', 'the Upper Bay off Red Hook', 40.675, -74.035],
    ['outside', 'Jamaica Bay', 40.6, -73.84],
    ['outside', 'Yonkers City Hall', 40.9322, -73.8987],
    ['outside', 'Great Neck', 40.787, -73.727],
    ['outside', 'Newark Liberty International', 40.6895, -74.1745],
    ['airport', 'John F. Kennedy International', 40.6413, -73.7781],
    ['airport', 'LaGuardia, Terminal B', 40.7745, -73.872],
    ['no drop-off', 'LaGuardia, Marine Air Terminal', 40.7734, -73.8859],
  ],
  chicago: [
    ['inside', 'Willis Tower', 41.8789, -87.6359],
    ['inside', 'Cloud Gate', 41.8827, -87.6233],
    ['inside', 'Navy Pier, the wheel', 41.8919, -87.6075],
    ['inside', 'Wrigley Field', 41.9484, -87.6553],
    ['inside', 'Lincoln Park Zoo', 41.9211, -87.634],
    ['inside', 'Shedd Aquarium', 41.8676, -87.614],
    ['inside', 'Adler Planetarium', 41.8663, -87.6068],
    ['inside', 'Soldier Field', 41.8623, -87.6167],
    ['inside', 'Griffin Museum of Science and Industry', 41.7906, -87.5831],
    ['inside', 'Guaranteed Rate Field', 41.83, -87.6339],
    ['inside', 'United Center', 41.8807, -87.6742],
    ['inside', 'South Shore Cultural Center', 41.7709, -87.5645],
    ['inside', 'Pullman National Historical Park', 41.6946, -87.6085],
    ['inside', 'Loyola University', 41.9993, -87.6578],
    ['outside', 'Lake Michigan off Oak Street', 41.905, -87.6],
    ['outside', 'Lake Michigan off Montrose Point', 41.965, -87.61],
    ['outside', 'the Chicago Harbor Lighthouse', 41.8894, -87.5907],
    ['outside', 'Evanston, Northwestern University', 42.0565, -87.6753],
    ['outside', 'Oak Park, Frank Lloyd Wright Home', 41.8942, -87.7998],
    ['outside', 'Cicero Town Hall', 41.845, -87.7539],
    ['outside', 'Hammond, Indiana', 41.5834, -87.5],
    ['outside', 'Skokie', 42.0324, -87.7416],
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
    ['inside', 'Gas Works Park', 47.6456, -122.3344],
    ['inside', 'Fremont Troll', 47.651, -122.3474],
    ['inside', 'Ballard Locks', 47.6655, -122.3971],
    ['inside', 'Golden Gardens Park', 47.6915, -122.4025],
    ['inside', 'Alki Point Lighthouse', 47.5763, -122.4203],
    ['inside', 'Museum of Flight', 47.518, -122.2964],
    ['inside', 'Northgate station', 47.7031, -122.3283],
    ['inside', 'Southcenter', 47.4587, -122.258],
    ['inside', 'Discovery Park visitor center', 47.6583, -122.4061],
    ['outside', 'Elliott Bay', 47.605, -122.37],
    ['outside', 'Puget Sound off West Point', 47.665, -122.46],
    ['outside', 'Lake Washington, the floating bridge', 47.641, -122.25],
    ['outside', 'Mercer Island', 47.5707, -122.2221],
    ['outside', 'Bellevue, downtown park', 47.6125, -122.204],
    ['outside', 'Bainbridge Island ferry', 47.6227, -122.5108],
    ['outside', 'Redmond', 47.674, -122.1215],
    ['airport', 'Seattle-Tacoma International', 47.4502, -122.3088],
    ['airport', 'Seattle-Tacoma International, terminal', 47.4435, -122.3015],
  ],
  london: [
    ['inside', 'Charing Cross', 51.5074, -0.1278],
    ['inside', 'Tower Bridge', 51.5055, -0.0754],
    ['inside', 'Buckingham Palace', 51.5014, -0.1419],
    ['inside', "King's Cross", 51.5308, -0.1238],
    ['inside', 'Wembley Stadium', 51.556, -0.2796],
    ['inside', 'Royal Observatory, Greenwich', 51.4769, -0.0005],
    ['inside', 'Canary Wharf, One Canada Square', 51.5049, -0.0197],
    ['inside', 'Kew Gardens', 51.4787, -0.2956],
    ['inside', 'Wimbledon, Centre Court', 51.4337, -0.2143],
    ['inside', 'Alexandra Palace', 51.5941, -0.1306],
    ['inside', 'Crystal Palace Park', 51.4222, -0.0706],
    ['inside', 'East Croydon station', 51.3752, -0.0927],
    ['inside', 'Olympic Stadium, Stratford', 51.5387, -0.0166],
    ['inside', 'Kingston upon Thames', 51.4123, -0.3007],
    ['inside', 'Romford station', 51.5749, 0.1832],
    ['outside', 'Windsor Castle', 51.4839, -0.6044],
    ['outside', 'Slough station', 51.5119, -0.5915],
    ['outside', 'Watford Junction', 51.6635, -0.3965],
    ['outside', 'Dartford station', 51.4474, 0.2193],
    ['outside', 'Epsom', 51.3334, -0.2687],
    ['outside', 'Waltham Abbey', 51.6877, -0.0036],
    ['outside', 'Gatwick Airport', 51.1537, -0.1821],
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
