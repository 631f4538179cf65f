import { describe, expect, test } from 'vitest';
import type { Point } from '../../server/domain/geo.ts';
import { failure } from '../support/answers.ts';
import { CITIES, SAN_FRANCISCO } from '../support/cities.ts';
import { engines } from '../support/database.ts';
import { PACIFIC_OCEAN } from '../support/places.ts';
import { rawCall } from '../support/raw-call.ts';
import { testServer } from '../support/started.ts';

interface PlaceOperation {
  readonly operation: 'listRideTypes' | 'estimateEta' | 'estimateCost' | 'listDrivers' | 'listPickupEtas';
  /** The prefix of `lat` and `lng`; `secondPrefix` is the prefix of a second place, if the operation takes one. */
  readonly prefix: string;
  readonly secondPrefix?: string;
  /** The field with the list in the response. Absent when the operation takes no ride type. */
  readonly list?: string;
}

const ASKED: readonly PlaceOperation[] = [
  { operation: 'listRideTypes', prefix: '', list: 'ride_types' },
  { operation: 'estimateEta', prefix: '', secondPrefix: 'destination_', list: 'eta_estimates' },
  { operation: 'estimateCost', prefix: 'start_', secondPrefix: 'end_', list: 'cost_estimates' },
  { operation: 'listDrivers', prefix: '' },
  { operation: 'listPickupEtas', prefix: '', secondPrefix: 'destination_', list: 'nearby_drivers_pickup_etas' },
];

// how the operations that take a place treat places and ride types; http/parameters.test.ts covers bad parameters
describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine);

  describe.each(ASKED)('$operation', ({ operation, prefix, secondPrefix, list }) => {
    const at = ({ lat, lng }: Point) => `${prefix}lat=${lat}&${prefix}lng=${lng}`;
    const center = at(SAN_FRANCISCO.center);

    const ask = async (query: string, token?: string) => {
      const used = token ?? (await server.newToken({ world: await server.newWorld() }));
      const response = await rawCall(server.baseUrl, operation, { query, token: used });
      const body = (await response.json()) as Record<string, { readonly ride_type: string }[]>;
      return { status: response.status, body };
    };

    test('a user token with the scope public is as good as a client token', async () => {
      const world = await server.newWorld();
      const passenger = await server.newPassenger(world);
      const token = await server.newToken({ world, passenger, scopes: ['public'] });
      expect((await ask(center, token)).status).toBe(200);
    });

    if (secondPrefix !== undefined) {
      test.each([
        [`${secondPrefix}lat`, `${secondPrefix}lng`],
        [`${secondPrefix}lng`, `${secondPrefix}lat`],
      ] as const)('%s without %s is a bad parameter', async (given, missing) => {
        const refused = failure(400, 'bad_parameter', [{ [missing]: 'is required' }]);
        expect(await ask(`${center}&${given}=37.7`)).toEqual(refused);
        expect(await ask(`${at(PACIFIC_OCEAN)}&${given}=37.7`)).toEqual(refused);
      });
    }

    if (list === undefined) return;

    test('one ride type can be asked for', async () => {
      const { body } = await ask(`${center}&ride_type=svc_plus`);
      expect(body[list]!.map(({ ride_type }) => ride_type)).toEqual(['svc_plus']);
    });

    test.each(CITIES)('$name has $zoned, but not at its edge: an empty list', async ({ center, edge, zoned }) => {
      expect((await ask(`${at(center)}&ride_type=${zoned}`)).body[list]).not.toEqual([]);
      expect(await ask(`${at(edge)}&ride_type=${zoned}`)).toMatchObject({ status: 200, body: { [list]: [] } });
    });

    test.each(CITIES)('$name does not have $missing at all: a 400', async ({ center, missing }) => {
      const detail = [{ ride_type: expect.any(String) }];
      const refused = failure(400, 'ridetype_unavailable_in_region', detail);
      expect(await ask(`${at(center)}&ride_type=${missing}`)).toEqual(refused);
    });
  });
});
