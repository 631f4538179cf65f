import { expect, test } from 'vitest';
import { OPERATIONS } from '../../generated/server.ts';
import type { Point } from '../../server/domain/geo.ts';
import { failure } from './answers.ts';
import { CITIES, SAN_FRANCISCO } from './cities.ts';
import { PACIFIC_OCEAN } from './places.ts';
import { rawCall } from './raw-call.ts';
import type { TestServer } from './server.ts';

export interface PlaceOperation {
  readonly operation: 'listRideTypes' | 'estimateEta' | 'estimateCost' | 'listDrivers' | 'listPickupEtas';
  readonly server: () => TestServer;
  /** What the place's coordinates are called. */
  readonly place: readonly [lat: string, lng: string];
  /** What those of a second place are called, where one can be given. */
  readonly secondPlace?: readonly [lat: string, lng: string];
  /** The list of an answer. Absent where no ride type can be asked for. */
  readonly list?: string;
}

/** Declares how every operation that is asked about a place treats callers, places and ride types. */
export function servesPlacesAlike({ operation, server, place, secondPlace, list }: PlaceOperation): void {
  const at = ({ lat, lng }: Point) => `${place[0]}=${lat}&${place[1]}=${lng}`;
  const center = at(SAN_FRANCISCO.center);

  const ask = async (query: string, token?: string) => {
    const used = token ?? (await server().newToken({ world: await server().newWorld() }));
    const response = await rawCall(server().baseUrl, operation, { query, token: used });
    const text = await response.text();
    return { response, answer: { status: response.status, body: text === '' ? null : JSON.parse(text) } };
  };

  test.each(CITIES)('$name is served', async (city) => {
    expect((await ask(at(city.center))).response.status).toBe(200);
  });

  test('a user token with the scope public is as good as a client token', async () => {
    const world = await server().newWorld();
    const passenger = await server().newPassenger(world);
    const token = await server().newToken({ world, passenger, scopes: ['public'] });
    expect((await ask(center, token)).response.status).toBe(200);
  });

  test('the open sea is not served', async () => {
    expect((await ask(at(PACIFIC_OCEAN))).answer).toEqual(failure(400, 'no_service_in_area'));
  });

  test.each([
    ['half of the place', `${place[0]}=37.7`, place[1], /required/],
    ['the other half of it', `${place[1]}=-122.4`, place[0], /required/],
    ['no place', '', place[0], /required/],
    ['a latitude beyond the pole', at({ lat: 91, lng: 0 }), place[0], /90/],
    ['a longitude beyond the date line', at({ lat: 0, lng: -181 }), place[1], /-180/],
    ['words for a number', `${place[0]}=north&${place[1]}=0`, place[0], /number/],
  ])('%s is a bad parameter', async (_, query, name, problem) => {
    const { answer } = await ask(query);
    expect(answer).toEqual(failure(400, 'bad_parameter', expect.any(Array)));
    expect(answer.body.error_detail).toContainEqual({ [name]: expect.stringMatching(problem) });
  });

  test('a refused call counts', async () => {
    const world = await server().newWorld();
    const token = await server().newToken({ world });
    const { limit } = OPERATIONS[operation].rateLimit;
    await ask('', token);
    const { response } = await ask(at(PACIFIC_OCEAN), token);
    expect(response.headers.get('x-ratelimit-limit')).toBe(String(limit));
    expect(response.headers.get('x-ratelimit-remaining')).toBe(String(limit - 2));
  });

  if (secondPlace !== undefined) {
    test.each([
      [secondPlace[0], secondPlace[1]],
      [secondPlace[1], secondPlace[0]],
    ])('%s without %s is a bad parameter', async (given, missing) => {
      const refused = failure(400, 'bad_parameter', [{ [missing]: 'is required' }]);
      expect((await ask(`${center}&${given}=37.7`)).answer).toEqual(refused);
      expect((await ask(`${at(PACIFIC_OCEAN)}&${given}=37.7`)).answer).toEqual(refused);
    });

    test('both ends of the earth are far away, and no error', async () => {
      for (const [lat, lng] of [
        [90, 180],
        [-90, -180],
        [0, 0],
      ]) {
        const { answer } = await ask(`${center}&${secondPlace[0]}=${lat}&${secondPlace[1]}=${lng}`);
        expect(answer.status).toBe(200);
        // an estimate of each ride type that says nothing, or none
        for (const estimate of answer.body[list!]) expect(estimate).toMatchObject({ is_valid_estimate: false });
      }
    });
  }

  if (list === undefined) return;

  test('one ride type can be asked for', async () => {
    const { answer } = await ask(`${center}&ride_type=svc_plus`);
    expect(answer.body[list]).toHaveLength(1);
    expect(answer.body[list][0].ride_type).toBe('svc_plus');
  });

  test.each(CITIES)('$name has $zoned, but not at its edge: an empty list', async ({ center, edge, zoned }) => {
    expect((await ask(`${at(center)}&ride_type=${zoned}`)).answer.body[list]).not.toEqual([]);
    const { answer } = await ask(`${at(edge)}&ride_type=${zoned}`);
    expect(answer).toMatchObject({ status: 200, body: { [list]: [] } });
  });

  test.each(CITIES)('$name does not have $missing at all: a 400', async ({ center, missing }) => {
    const detail = [{ ride_type: expect.any(String) }];
    const { answer } = await ask(`${at(center)}&ride_type=${missing}`);
    expect(answer).toEqual(failure(400, 'ridetype_unavailable_in_region', detail));
  });
}
