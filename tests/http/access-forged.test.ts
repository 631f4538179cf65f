import { expect, test } from 'vitest';
import { ACROSS_TOWN, bodyOf } from '../support/accepted-calls.ts';
import { rawAnswerOf } from '../support/answers.ts';
import { rawCall } from '../support/raw-call.ts';
import { ridingAt } from '../support/stages.ts';
import { testServer } from '../support/started.ts';
import { startRiding } from '../support/take-ride.ts';

const server = testServer('sqlite', { rateLimitMultiplier: 1000 });

test.each([
  ...['X-User-Id', 'X-Passenger-Id', 'X-Application-Id', 'X-Client-Id', 'X-World-Id', 'X-Forwarded-User'],
  ...['X-Remote-User', 'From', 'Cookie', 'X-Access-Token', 'Proxy-Authorization'],
])('the header %s does not identify a passenger', async (name) => {
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

test('links point to this server, regardless of headers', async () => {
  const headers = {
    ...{ 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https', 'X-Forwarded-Port': '666' },
    ...{ Forwarded: 'host=evil.example;proto=https', 'X-Forwarded-For': '203.0.113.7' },
    ...{ 'X-Forwarded-Prefix': '/evil', 'X-Original-Host': 'evil.example', Origin: 'https://evil.example' },
  };
  const { rideId, token, world } = await ridingAt(server, 'accepted');
  const told = await rawCall(server.baseUrl, 'getRide', { path: { ride_id: rideId }, token, headers });
  const { body: ride } = await rawAnswerOf(told);
  const unverified = await server.newRider(world, { phoneVerified: false });
  // the old name of a field is deprecated
  const asked = { token: unverified.token, headers, ...bodyOf({ ...ACROSS_TOWN, primetime_confirmation_token: 'x' }) };
  const refused = await rawCall(server.baseUrl, 'requestRide', asked);
  const { body: error } = await rawAnswerOf(refused);
  const ofRide = [ride.route_url, ride.pricing_details_url, ride.driver.image_url, ride.vehicle.image_url];
  for (const link of [...ofRide, error.error_uri]) expect(link).toMatch(server.parts.publicUrl);
  expect(refused.headers.get('link')).toMatch(`<${server.parts.publicUrl}/`);
  expect(JSON.stringify([ride, error, ...refused.headers])).not.toContain('evil');
});
