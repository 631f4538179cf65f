import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '../../client/client.ts';
import { SECOND_MS } from '../../server/domain/time.ts';
import { askToken } from '../support/oauth.ts';
import { DOLORES_PARK, FERRY_BUILDING, MISSION_DOLORES } from '../support/places.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { advanceUntil, ridingOf } from '../support/take-ride.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer('sqlite');
});
afterAll(() => server.close());

/** What an answer says of its body, with what it is; null where there is none. */
async function typeOf(response: Response): Promise<string | null> {
  const type = response.headers.get('content-type');
  const text = await response.text();
  if (text === '') return type;
  expect(JSON.parse(text), 'an object').toBeTypeOf('object');
  return type;
}

test('from the first question to the receipt every answer with a body is JSON, and says so', async () => {
  const types: Array<readonly [status: number, type: string | null]> = [];
  const world = await server.newWorld();
  const rider = await server.newRider(world);
  const listening = async (request: Request) => {
    const response = await fetch(request);
    types.push([response.status, await typeOf(response.clone())]);
    return response;
  };
  const api = createClient({ baseUrl: server.baseUrl, token: rider.token, fetch: listening });

  await api.listRideTypes({ params: { query: FERRY_BUILDING } });
  await api.estimateEta({ params: { query: FERRY_BUILDING } });
  await api.estimateCost({ params: { query: { start_lat: FERRY_BUILDING.lat, start_lng: FERRY_BUILDING.lng } } });
  await api.listDrivers({ params: { query: FERRY_BUILDING } });
  await api.listPickupEtas({ params: { query: FERRY_BUILDING } });
  await api.getProfile();
  const body = { origin: FERRY_BUILDING, destination: DOLORES_PARK, ride_type: 'svc' };
  const { data } = await api.requestRide({ body });
  const riding = ridingOf(rider, world, data!.ride_id);
  const { params } = riding;
  await api.updateDestination({ params, body: MISSION_DOLORES });
  await advanceUntil(server, riding, 'droppedOff');
  await api.getRide({ params });
  await api.listRides({ params: { query: { start_time: '2026-01-01T00:00:00Z' } } });
  await api.rateRide({ params, body: { rating: 5 } });
  await server.advance(world, 5 * SECOND_MS);
  await api.getReceipt({ params });
  await api.cancelRide({ params });

  const JSON_TYPE = 'application/json; charset=utf-8';
  expect(types).toEqual([
    ...Array(6).fill([200, JSON_TYPE]),
    [201, JSON_TYPE],
    ...Array(3).fill([200, JSON_TYPE]),
    [204, null],
    [200, JSON_TYPE],
    [409, JSON_TYPE],
  ]);
});

test('so is an access token', async () => {
  const { headers } = await askToken(server, { grant_type: 'client_credentials' });
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
});
