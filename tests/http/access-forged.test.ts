import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { OPERATIONS, type OperationId } from '../../generated/server.ts';
import { ACROSS_TOWN } from '../support/accepted-calls.ts';
import { rawCall } from '../support/raw-call.ts';
import { ridingAt } from '../support/stages.ts';
import { testServer } from '../support/started.ts';
import { type Riding, startRiding } from '../support/take-ride.ts';

const server = testServer('sqlite', { rateLimitMultiplier: 1000 });

describe('a header', () => {
  test.each([
    ...['X-User-Id', 'X-Passenger-Id', 'X-Application-Id', 'X-Client-Id', 'X-World-Id', 'X-Forwarded-User'],
    ...['X-Remote-User', 'From', 'Cookie', 'X-Access-Token', 'Proxy-Authorization'],
  ])('%s does not identify a passenger', async (name) => {
    const riding = await startRiding(server);
    const { passenger, token } = await server.newRider(riding.world);
    const path = { ride_id: riding.rideId };
    for (const value of [riding.passenger.id, riding.token, `Bearer ${riding.token}`]) {
      const headers = { [name]: value };
      const ride = await rawCall(server.baseUrl, 'getRide', { path, token, headers });
      expect(ride.status).toBe(403);
      const profile = await rawCall(server.baseUrl, 'getProfile', { token, headers });
      expect(await profile.json()).toMatchObject({ id: passenger.id });
      expect((await rawCall(server.baseUrl, 'getProfile', { headers })).status).toBe(401);
    }
  });
});

describe('links point to this server, regardless of headers', () => {
  /** Sends a header that fetch does not allow. */
  async function ask(operation: OperationId, { token, rideId }: Riding, headers: Record<string, string>, body = '') {
    const { method, path } = OPERATIONS[operation];
    const sent = request(server.baseUrl + path.replace('{ride_id}', rideId), {
      method: method.toUpperCase(),
      headers: { Authorization: `Bearer ${token}`, ...(body && { 'Content-Type': 'application/json' }), ...headers },
    });
    sent.end(body);
    const [response] = await once(sent, 'response');
    return JSON.parse((await text(response)).replace(/"generated_at":"[^"]*"/, '"generated_at":""'));
  }

  const ELSEWHERE: Record<string, string>[] = [
    { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https', 'X-Forwarded-Port': '666' },
    { Forwarded: 'host=evil.example;proto=https', 'X-Forwarded-For': '203.0.113.7' },
    { 'X-Forwarded-Prefix': '/evil', 'X-Original-Host': 'evil.example', Origin: 'https://evil.example' },
  ];

  const expectHere = (told: object, links: readonly string[]) => {
    for (const link of links) expect(link).toMatch(server.parts.publicUrl);
    expect(JSON.stringify(told)).not.toContain('evil');
  };

  test.each(ELSEWHERE)('in a ride, with %j', async (headers) => {
    const riding = await ridingAt(server, 'accepted');
    const told = await ask('getRide', riding, headers);
    expect(told).toEqual(await ask('getRide', riding, {}));
    expectHere(told, [told.route_url, told.pricing_details_url, told.driver.image_url, told.vehicle.image_url]);
  });

  test.each(ELSEWHERE)('in an error, with %j', async (headers) => {
    const world = await server.newWorld();
    const rider = await server.newRider(world, { phoneVerified: false });
    const riding = { ...(await startRiding(server, { world })), ...rider };
    const told = await ask('requestRide', riding, headers, JSON.stringify(ACROSS_TOWN));
    expect(told.error).toBe('verified_phone_required');
    expectHere(told, [told.error_uri]);
  });

  test.each(ELSEWHERE)('in a deprecation, with %j', async (headers) => {
    const { token } = await server.newRider(await server.newWorld());
    const body = JSON.stringify({ ...ACROSS_TOWN, primetime_confirmation_token: 'x' });
    const response = await rawCall(server.baseUrl, 'requestRide', { token, headers, body });
    expect(response.headers.get('link')).toMatch(`<${server.parts.publicUrl}/`);
  });
});
