import { expect, test } from 'vitest';
import type { Point } from '../../server/domain/geo.ts';
import { failure } from './answers.ts';
import { CITIES, SAN_FRANCISCO } from './cities.ts';
import { PACIFIC_OCEAN } from './places.ts';
import { rawCall } from './raw-call.ts';
import type { TestServer } from './server.ts';

interface PlaceOperation {
  readonly operation: 'listRideTypes' | 'estimateEta' | 'estimateCost' | 'listDrivers' | 'listPickupEtas';
  readonly server: () => TestServer;
  /** What the place's coordinates are called. */
  readonly place: readonly [lat: string, lng: string];
  /** What those of a second place are called, where one can be given. */
  readonly secondPlace?: readonly [lat: string, lng: string];
  /** The list of an answer. Absent where no ride type can be asked for. */
  readonly list?: string;
}

/** Declares how every operation that is asked about a place treats places and ride types. Bad parameters: see http/parameters.test.ts. */
export function servesPlacesAlike({ operation, server, place, secondPlace, list }: PlaceOperation): void {
  const at = ({ lat, lng }: Point) => `${place[0]}=${lat}&${place[1]}=${lng}`;
  const center = at(SAN_FRANCISCO.center);

  const ask = async (query: string, token?: string) => {
    const used = token ?? (await server().newToken({ world: await server().newWorld() }));
    const response = await rawCall(server().baseUrl, operation, { query, token: used });
    const body = (await response.json()) as Record<string, { readonly ride_type: string }[]>;
    return { status: response.status, body };
  };

  test.each(CITIES)('$name is served', async (city) => {
    expect((await ask(at(city.center))).status).toBe(200);
  });

  test('a user token with the scope public is as good as a client token', async () => {
    const world = await server().newWorld();
    const passenger = await server().newPassenger(world);
    const token = await server().newToken({ world, passenger, scopes: ['public'] });
    expect((await ask(center, token)).status).toBe(200);
  });

  test('the open sea is not served', async () => {
    expect(await ask(at(PACIFIC_OCEAN))).toEqual(failure(400, 'no_service_in_area'));
  });

  if (secondPlace !== undefined) {
    test.each([
      [secondPlace[0], secondPlace[1]],
      [secondPlace[1], secondPlace[0]],
    ])('%s without %s is a bad parameter', async (given, missing) => {
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
}
