import { describe, expect, test } from 'vitest';
import type { Point } from '../../server/domain/geo.ts';
import { failure } from '../support/answers.ts';
import { CITIES, type City, DISPLAY_NAMES, SAN_FRANCISCO } from '../support/cities.ts';
import { engines } from '../support/database.ts';
import { PACIFIC_OCEAN } from '../support/places.ts';
import { rawCall } from '../support/raw-call.ts';
import { testServer } from '../support/started.ts';

interface PlaceOperation {
  readonly operation: 'listRideTypes' | 'estimateEta' | 'estimateCost' | 'listPickupEtas';
  /** The prefix of `lat` and `lng`; `secondPrefix` is the prefix of a second place, if the operation takes one. */
  readonly prefix: string;
  readonly secondPrefix?: string;
  /** The field with the list in the response. */
  readonly list: string;
  /** Whether the operation refuses a place without ride types. Absent: it returns an empty list. */
  readonly refusesNothing?: true;
}

const ASKED: readonly PlaceOperation[] = [
  { operation: 'listRideTypes', prefix: '', list: 'ride_types', refusesNothing: true },
  { operation: 'estimateEta', prefix: '', secondPrefix: 'destination_', list: 'eta_estimates' },
  { operation: 'estimateCost', prefix: 'start_', secondPrefix: 'end_', list: 'cost_estimates', refusesNothing: true },
  { operation: 'listPickupEtas', prefix: '', secondPrefix: 'destination_', list: 'nearby_drivers_pickup_etas' },
];

/** A place that does not offer what the request asks for. */
interface Gap {
  readonly name: string;
  /** The ride types that remain available in the city; absent means all. */
  readonly kept?: (city: City) => readonly string[];
  readonly place: 'center' | 'edge';
  /** The requested ride type; absent means any. */
  readonly asked?: (city: City) => string;
  /** Whether no place in the city has the ride type. Every operation refuses that. */
  readonly isUnknown?: true;
}

const GAPS: readonly Gap[] = [
  { name: 'a ride type that it has elsewhere', place: 'edge', asked: ({ zoned }) => zoned },
  { name: 'any ride type, only elsewhere', kept: ({ zoned }) => [zoned], place: 'edge' },
  { name: 'any ride type, after all were removed', kept: () => [], place: 'center' },
  { name: 'a removed ride type', kept: () => [], place: 'center', asked: ({ zoned }) => zoned, isUnknown: true },
  { name: 'a ride type that it never has', place: 'center', asked: ({ missing }) => missing, isUnknown: true },
];

// how the operations that take a place treat places and ride types; http/parameters.test.ts covers bad parameters
describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine);

  describe.each(ASKED)('$operation', ({ operation, prefix, secondPrefix, list, refusesNothing }) => {
    const at = ({ lat, lng }: Point) => `${prefix}lat=${lat}&${prefix}lng=${lng}`;
    const center = at(SAN_FRANCISCO.center);

    const ask = async (query: string, token?: string) => {
      const used = token ?? (await server.newToken({ world: await server.newWorld() }));
      const response = await rawCall(server.baseUrl, operation, { query, token: used });
      const body = (await response.json()) as Record<
        string,
        { readonly ride_type: string; readonly display_name: string }[]
      >;
      return { status: response.status, body };
    };

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

    test.each(CITIES)('$name lists $rideTypes under their names', async ({ center, rideTypes }) => {
      const listed = (await ask(at(center))).body[list]!;
      // a ride type without a driver near has no pickup time
      const isThere = (type: string) =>
        operation !== 'listPickupEtas' || listed.some(({ ride_type }) => ride_type === type);
      const names = rideTypes.filter(isThere).map((type) => [type, DISPLAY_NAMES[type]]);
      expect(listed.map(({ ride_type, display_name }) => [ride_type, display_name])).toEqual(names);
    });

    test('the response can be limited to one ride type', async () => {
      const { body } = await ask(`${center}&ride_type=svc_plus`);
      expect(body[list]!.map(({ ride_type }) => ride_type)).toEqual(['svc_plus']);
    });

    test.each(CITIES)('$name has $zoned in its center', async ({ center, zoned }) => {
      expect((await ask(`${at(center)}&ride_type=${zoned}`)).body[list]).toMatchObject([{ ride_type: zoned }]);
    });

    describe.each(GAPS)('asked for $name', ({ kept, place, asked, isUnknown }) => {
      const isRefused = isUnknown || refusesNothing;

      test.each(CITIES)(`$name ${isRefused ? 'is a 400' : 'has an empty list'}`, async (city) => {
        const token = await server.newToken({ world: await server.newWorld() });
        if (kept !== undefined) {
          const body = { ...city.center, ride_types: [...kept(city)] };
          await server.client({ token }).setRideTypes({ body });
        }
        const type = asked === undefined ? '' : `&ride_type=${asked(city)}`;
        const detail = asked === undefined ? [] : [{ ride_type: 'is not available here' }];
        const refused = failure(400, 'ridetype_unavailable_in_region', detail);
        const empty = { status: 200, body: expect.objectContaining({ [list]: [] }) };
        expect(await ask(`${at(city[place])}${type}`, token)).toEqual(isRefused ? refused : empty);
      });
    });
  });
});
