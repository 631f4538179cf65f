import { expect, test } from 'vitest';
import { geography } from '../../server/cities/geography.ts';
import { areaAt, prohibitedDropOffAt } from '../../server/domain/areas.ts';

type Landmark = readonly [name: string, lat: number, lng: number];
type Airport = readonly [name: string, lat: number, lng: number, dropOff: 'allowed' | 'prohibited'];

interface Ground {
  readonly inside: readonly Landmark[];
  /** In the water next to the area, or in a neighboring city. */
  readonly outside: readonly Landmark[];
  readonly airports: readonly Airport[];
}

// published coordinates of well-known places, accurate to about 100 meters
const ground: Readonly<Record<string, Ground>> = {
  'san-francisco': {
    inside: [
      ['Ferry Building', 37.7955, -122.3937],
      ['Coit Tower', 37.8024, -122.4058],
      ['Transamerica Pyramid', 37.7952, -122.4028],
      ['City Hall', 37.7793, -122.4193],
      ['Palace of Fine Arts', 37.8029, -122.4484],
      ['Oracle Park', 37.7786, -122.3893],
      ['Chase Center', 37.768, -122.3877],
      ['Mission Dolores', 37.7645, -122.4269],
      ['Cliff House', 37.7784, -122.5138],
      ['San Francisco Zoo', 37.733, -122.503],
      ['Twin Peaks', 37.7544, -122.4477],
      ['Fort Point', 37.8106, -122.4769],
      ['Pier 39', 37.8087, -122.4098],
      ['Cow Palace, Daly City', 37.7067, -122.4186],
      ['Millbrae station', 37.6003, -122.3867],
    ],
    outside: [
      ['Alcatraz', 37.827, -122.423],
      ['the Bay under the Bay Bridge', 37.798, -122.378],
      ['the Bay off Hunters Point', 37.735, -122.345],
      ['the Pacific off Ocean Beach', 37.76, -122.53],
      ['Golden Gate, middle of the bridge', 37.8199, -122.4783],
      ['Sausalito', 37.8591, -122.4853],
      ['Oakland City Hall', 37.8053, -122.2725],
      ['Berkeley, Sather Tower', 37.8721, -122.2578],
      ['Pacifica Pier', 37.6333, -122.495],
    ],
    airports: [
      ['San Francisco International', 37.6213, -122.379, 'prohibited'],
      ['San Francisco International, Terminal 2', 37.6158, -122.3844, 'prohibited'],
      ['San Francisco International, rental car center', 37.6292, -122.4003, 'allowed'],
    ],
  },
  'new-york': {
    inside: [
      ['Empire State Building', 40.7484, -73.9857],
      ['Times Square', 40.758, -73.9855],
      ['One World Trade Center', 40.7127, -74.0134],
      ['Battery Park, Castle Clinton', 40.7035, -74.0168],
      ['Grand Central Terminal', 40.7527, -73.9772],
      ['The Cloisters', 40.8649, -73.9317],
      ['Yankee Stadium', 40.8296, -73.9262],
      ['Bronx Zoo', 40.8506, -73.877],
      ['Citi Field', 40.7571, -73.8458],
      ['Flushing, Main Street', 40.7596, -73.8301],
      ['Barclays Center', 40.6826, -73.9754],
      ['Prospect Park', 40.6602, -73.969],
      ['Coney Island, the Cyclone', 40.5745, -73.9779],
      ['Fort Totten', 40.7925, -73.779],
      ['Red Hook, Fairway building', 40.6752, -74.0165],
      ['City Island Avenue', 40.847, -73.7865],
    ],
    outside: [
      ['Statue of Liberty', 40.6892, -74.0445],
      ['Hoboken Terminal', 40.735, -74.0278],
      ['Jersey City, Exchange Place', 40.7163, -74.0329],
      ['St. George Ferry Terminal, Staten Island', 40.6437, -74.0736],
      ['the Hudson off 79th Street', 40.7915, -73.9905],
      ['the Upper Bay off Red Hook', 40.675, -74.035],
      ['Jamaica Bay', 40.6, -73.84],
      ['Yonkers City Hall', 40.9322, -73.8987],
      ['Great Neck', 40.787, -73.727],
      ['Newark Liberty International', 40.6895, -74.1745],
    ],
    airports: [
      ['John F. Kennedy International', 40.6413, -73.7781, 'allowed'],
      ['LaGuardia, Terminal B', 40.7745, -73.872, 'allowed'],
      ['LaGuardia, Marine Air Terminal', 40.7734, -73.8859, 'prohibited'],
    ],
  },
  chicago: {
    inside: [
      ['Willis Tower', 41.8789, -87.6359],
      ['Cloud Gate', 41.8827, -87.6233],
      ['Navy Pier, the wheel', 41.8919, -87.6075],
      ['Wrigley Field', 41.9484, -87.6553],
      ['Lincoln Park Zoo', 41.9211, -87.634],
      ['Shedd Aquarium', 41.8676, -87.614],
      ['Adler Planetarium', 41.8663, -87.6068],
      ['Soldier Field', 41.8623, -87.6167],
      ['Griffin Museum of Science and Industry', 41.7906, -87.5831],
      ['Guaranteed Rate Field', 41.83, -87.6339],
      ['United Center', 41.8807, -87.6742],
      ['South Shore Cultural Center', 41.7709, -87.5645],
      ['Pullman National Historical Park', 41.6946, -87.6085],
      ['Loyola University', 41.9993, -87.6578],
    ],
    outside: [
      ['Lake Michigan off Oak Street', 41.905, -87.6],
      ['Lake Michigan off Montrose Point', 41.965, -87.61],
      ['the Chicago Harbor Lighthouse', 41.8894, -87.5907],
      ['Evanston, Northwestern University', 42.0565, -87.6753],
      ['Oak Park, Frank Lloyd Wright Home', 41.8942, -87.7998],
      ['Cicero Town Hall', 41.845, -87.7539],
      ['Hammond, Indiana', 41.5834, -87.5],
      ['Skokie', 42.0324, -87.7416],
    ],
    airports: [
      ["O'Hare International", 41.9786, -87.9048, 'allowed'],
      ["O'Hare International, Terminal 5", 41.9742, -87.8905, 'allowed'],
      ['Midway International', 41.7868, -87.7522, 'prohibited'],
      ['Midway, Orange Line station', 41.7866, -87.7379, 'allowed'],
    ],
  },
  seattle: {
    inside: [
      ['Space Needle', 47.6205, -122.3493],
      ['Pike Place Market', 47.6097, -122.3422],
      ['Smith Tower', 47.6019, -122.3318],
      ['Lumen Field', 47.5952, -122.3316],
      ['Seattle Aquarium', 47.6074, -122.3429],
      ['Husky Stadium', 47.6503, -122.3016],
      ['Gas Works Park', 47.6456, -122.3344],
      ['Fremont Troll', 47.651, -122.3474],
      ['Ballard Locks', 47.6655, -122.3971],
      ['Golden Gardens Park', 47.6915, -122.4025],
      ['Alki Point Lighthouse', 47.5763, -122.4203],
      ['Museum of Flight', 47.518, -122.2964],
      ['Northgate station', 47.7031, -122.3283],
      ['Southcenter', 47.4587, -122.258],
      ['Discovery Park visitor center', 47.6583, -122.4061],
    ],
    outside: [
      ['Elliott Bay', 47.605, -122.37],
      ['Puget Sound off West Point', 47.665, -122.46],
      ['Lake Washington, the floating bridge', 47.641, -122.25],
      ['Mercer Island', 47.5707, -122.2221],
      ['Bellevue, downtown park', 47.6125, -122.204],
      ['Bainbridge Island ferry', 47.6227, -122.5108],
      ['Redmond', 47.674, -122.1215],
    ],
    airports: [
      ['Seattle-Tacoma International', 47.4502, -122.3088, 'allowed'],
      ['Seattle-Tacoma International, terminal', 47.4435, -122.3015, 'allowed'],
    ],
  },
  london: {
    inside: [
      ['Charing Cross', 51.5074, -0.1278],
      ['Tower Bridge', 51.5055, -0.0754],
      ['Buckingham Palace', 51.5014, -0.1419],
      ["King's Cross", 51.5308, -0.1238],
      ['Wembley Stadium', 51.556, -0.2796],
      ['Royal Observatory, Greenwich', 51.4769, -0.0005],
      ['Canary Wharf, One Canada Square', 51.5049, -0.0197],
      ['Kew Gardens', 51.4787, -0.2956],
      ['Wimbledon, Centre Court', 51.4337, -0.2143],
      ['Alexandra Palace', 51.5941, -0.1306],
      ['Crystal Palace Park', 51.4222, -0.0706],
      ['East Croydon station', 51.3752, -0.0927],
      ['Olympic Stadium, Stratford', 51.5387, -0.0166],
      ['Kingston upon Thames', 51.4123, -0.3007],
      ['Romford station', 51.5749, 0.1832],
    ],
    outside: [
      ['Windsor Castle', 51.4839, -0.6044],
      ['Slough station', 51.5119, -0.5915],
      ['Watford Junction', 51.6635, -0.3965],
      ['Dartford station', 51.4474, 0.2193],
      ['Epsom', 51.3334, -0.2687],
      ['Waltham Abbey', 51.6877, -0.0036],
      ['Gatwick Airport', 51.1537, -0.1821],
    ],
    airports: [
      ['Heathrow', 51.47, -0.4543, 'allowed'],
      ['Heathrow, Terminal 5', 51.4723, -0.4887, 'allowed'],
      ['London City', 51.5053, 0.0553, 'prohibited'],
      ['Pontoon Dock station', 51.5022, 0.0319, 'allowed'],
    ],
  },
};

const of = <T>(part: (ground: Ground) => readonly T[]) =>
  Object.entries(ground).flatMap(([areaId, here]) => part(here).map((row) => ({ areaId, row })));

test('every city has at least ten landmarks inside, five outside and an airport', () => {
  expect(Object.keys(ground).sort()).toEqual(geography.areas.map(({ id }) => id).sort());
  for (const { inside, outside, airports } of Object.values(ground)) {
    expect(inside.length).toBeGreaterThanOrEqual(10);
    expect(outside.length).toBeGreaterThanOrEqual(5);
    expect(airports.length).toBeGreaterThanOrEqual(1);
  }
});

test.each(of(({ inside }) => inside))('$areaId serves $row.0, including drop-offs', ({ areaId, row: [, lat, lng] }) => {
  expect(areaAt(geography, { lat, lng })?.id).toBe(areaId);
  expect(prohibitedDropOffAt(geography, { lat, lng })).toBeUndefined();
});

test.each(of(({ outside }) => outside))('$row.0 is outside $areaId and every other area', ({ row }) => {
  const [, lat, lng] = row;
  expect(areaAt(geography, { lat, lng })).toBeUndefined();
});

test.each(of(({ airports }) => airports))('$areaId serves $row.0, drop-off $row.3', ({ areaId, row }) => {
  const [, lat, lng, dropOff] = row;
  expect(areaAt(geography, { lat, lng })?.id).toBe(areaId);
  expect(prohibitedDropOffAt(geography, { lat, lng }) === undefined).toBe(dropOff === 'allowed');
});
