import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../generated/server.ts';
import { simulatedFleet } from '../../server/domain/fleet/simulated-fleet.ts';
import { DOLORES_PARK, FERRY_BUILDING } from '../support/places.ts';
import { type RawCall, rawCall } from '../support/raw-call.ts';
import { answerTo } from '../support/raw-socket.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

/** What goes wrong in the worlds of these seeds. */
const TROUBLES: Readonly<Record<string, Error>> = {
  broken: new Error('select * from rides at rides.ts:1:1'),
  away: Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' }),
};

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer('sqlite', {
    fleetOf: (seed) => {
      const trouble = TROUBLES[seed];
      if (trouble !== undefined) throw trouble;
      return simulatedFleet(seed);
    },
  });
});
afterAll(() => server.close());

/** What a new passenger who requests a ride is answered. */
async function send(call: RawCall): Promise<Response> {
  const { token } = await server.newRider(await server.newWorld());
  return rawCall(server.baseUrl, 'requestRide', { token, ...call });
}

const TRIP = { origin: FERRY_BUILDING, destination: DOLORES_PARK, ride_type: 'svc' };

describe('every answer', () => {
  const body = JSON.stringify(TRIP);
  const answers: Record<number, () => Promise<Response>> = {
    201: () => send({ body }),
    400: () => send({ body: '{' }),
    401: () => rawCall(server.baseUrl, 'getProfile'),
    404: () => fetch(`${server.baseUrl}/nowhere`),
    405: () => fetch(server.baseUrl + OPERATIONS.getProfile.path, { method: 'DELETE' }),
    413: () => send({ body: ' '.repeat(70_000) }),
    415: () => send({ body, headers: { 'Content-Type': 'text/plain' } }),
    429: async () => {
      const { token } = await server.newRider(await server.newWorld());
      const call = { token, body: '{}', path: { ride_id: 'ride-1' } };
      for (let i = 0; i < 5; i++) await rawCall(server.baseUrl, 'rateRide', call);
      return rawCall(server.baseUrl, 'rateRide', call);
    },
    500: () => inTrouble('broken'),
    503: () => inTrouble('away'),
  };
  const inTrouble = async (seed: string) => {
    const { token } = await server.newRider(await server.newWorld({ seed }));
    const query = `lat=${FERRY_BUILDING.lat}&lng=${FERRY_BUILDING.lng}`;
    return rawCall(server.baseUrl, 'estimateEta', { token, query });
  };

  test.each(Object.entries(answers))('of status %s has the headers that all have', async (status, answer) => {
    const response = await answer();
    const { status: actual, headers } = response;
    expect(String(actual)).toBe(status);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await response.text()).not.toMatch(/select|rides\.ts|ECONN|127\.0\.0\.1|express|node/);
    expect(headers.get('x-request-id')).toMatch(/^[\w-]{16,}$/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('content-security-policy')).toContain("default-src 'self'");
    for (const none of ['server', 'x-powered-by', 'strict-transport-security', 'etag']) {
      expect(headers.get(none), none).toBeNull();
    }
    // whatever fails after it was counted, a fault of ours too
    expect(headers.has('x-ratelimit-remaining')).toBe(!['401', '404', '405'].includes(status));
  });

  test('has a request id of its own', async () => {
    const ids = await Promise.all([1, 2, 3].map(async () => (await answers[404]!()).headers.get('x-request-id')));
    expect(new Set(ids).size).toBe(3);
  });
});

test.each([
  [500, 'broken'],
  [503, 'away'],
])('a failure of ours, %s, says as well that a field is deprecated', async (status, seed) => {
  const { token } = await server.newRider(await server.newWorld({ seed }));
  const body = JSON.stringify({ ...TRIP, primetime_confirmation_token: 'from before' });
  const response = await rawCall(server.baseUrl, 'requestRide', { token, body });
  expect(response.status).toBe(status);
  expect(response.headers.get('deprecation')).toMatch(/^@\d+$/);
  expect(response.headers.get('link')).toContain('rel="deprecation"');
});

test('a condition on what a cache might have is not looked at', async () => {
  const { token } = await server.newRider(await server.newWorld());
  // fetch adds a Cache-Control of its own, with which Express does not look either
  const lines = ['Host: a', `Authorization: Bearer ${token}`, 'If-None-Match: *', 'Connection: close'];
  const request = `GET ${OPERATIONS.getProfile.path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
  expect((await answerTo(server.baseUrl, request)).status).toBe(200);
});

test('a server behind https says so to browsers', async () => {
  const secure = await startTestServer('sqlite', { publicUrl: 'https://rides.example.com' });
  const { headers } = await fetch(secure.baseUrl).finally(() => secure.close());
  expect(headers.get('strict-transport-security')).toMatch(/^max-age=\d+/);
  expect(headers.get('content-security-policy')).toContain('upgrade-insecure-requests');
});
