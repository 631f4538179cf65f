import { describe, expect, test } from 'vitest';
import type { World } from '../../server/domain/worlds/clock.ts';
import { ACROSS_TOWN, costTokenOf } from '../support/accepted-calls.ts';
import { answerOf, failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { viewOf } from '../support/passengers-view.ts';
import { LIVE, type Rider } from '../support/server.ts';
import { ridingAt } from '../support/stages.ts';
import { testServer } from '../support/started.ts';
import { ridingOf, storedRide } from '../support/take-ride.ts';

/** Friday, 23:30 in San Francisco, when Prime Time applies. */
const FRIDAY_NIGHT = Date.UTC(2026, 4, 16, 6, 30);
// other tests cover concurrent and repeated requests, ratings and cancels: api/requestRide, api/rateRide, api/cancelRide
const TIMES = 50;

/** Makes TIMES calls at once. @returns their responses */
function atOnce(call: (index: number) => Promise<{ status: number; body: unknown }>) {
  return Promise.all(Array.from({ length: TIMES }, (_, index) => call(index)));
}

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine, { rateLimitMultiplier: 1000 });

  test('each of fifty destination changes at once succeeds, and the ride keeps one of them', async () => {
    const riding = await ridingAt(server, 'pickedUp');
    const placeOf = (index: number) => ({ lat: 37.76 + index / 10_000, lng: -122.42, address: `${index} Long Street` });
    const answers = await atOnce(async (index) =>
      answerOf(await riding.api.updateDestination({ params: riding.params, body: placeOf(index) })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(TIMES).fill(200));
    const { ride } = await viewOf(riding);
    expect(answers.map(({ body }) => body)).toContainEqual(
      expect.objectContaining(placeOf(parseInt(ride.body.destination.address, 10))),
    );
    const { version } = await storedRide(server, riding.world, riding.rideId);
    expect(version).toBeGreaterThan(TIMES);
  });

  test('a cancel among other writes ends the ride, and nothing changes it afterwards', async () => {
    const riding = await ridingAt(server, 'accepted');
    const { api, params } = riding;
    const writes = [
      () => api.cancelRide({ params }),
      () => api.updateDestination({ params, body: { lat: 37.76, lng: -122.42 } }),
      () => api.rateRide({ params, body: { rating: 1 } }),
      () => api.getRide({ params }),
    ] as const;
    const answers = await atOnce(async (index) => answerOf(await writes[index % writes.length]!()));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 204, 400, 409]));
    const { ride } = await viewOf(riding);
    expect(ride.body).toMatchObject({ status: 'canceled', canceled_by: 'passenger' });
    expect(ride.body).not.toHaveProperty('rating');
  });

  const requestWith = async ({ api }: Pick<Rider, 'api'>, cost_token?: string) =>
    answerOf(await api.requestRide({ body: { ...ACROSS_TOWN, ...(cost_token !== undefined && { cost_token }) } }));

  test.each<[string, () => Promise<World>]>([
    ['live', async () => LIVE],
    ['in a sandbox', () => server.newWorld({ at: FRIDAY_NIGHT })],
  ])('%s, nobody can use a cost token for a second ride', async (_, worldOf) => {
    server.passTime(Math.max(0, FRIDAY_NIGHT - server.parts.now()));
    const world = await worldOf();
    const rider = await server.newRider(world);
    const { passenger } = rider;
    const token = await costTokenOf(rider);
    const { status, body } = await requestWith(rider, token);
    expect(status).toBe(201);
    const riding = ridingOf(rider, world, (body as { ride_id: string }).ride_id);
    await rider.api.cancelRide({ params: riding.params });
    const before = await viewOf(riding);
    const ofAnotherApplication = await server.newToken({ world, passenger, applicationId: 'another' });
    const elsewhere = await server.newWorld({ at: FRIDAY_NIGHT });
    for (const caller of [
      rider,
      { api: server.client({ token: ofAnotherApplication }) },
      await server.newRider(world),
      await server.newRider(elsewhere, { id: passenger.id, email: `double-of-${passenger.email}` }),
    ]) {
      expect(await requestWith(caller, token)).toEqual(failure(400, 'invalid_primetime_confirmation'));
      // the refused request has created no ride
      expect((await requestWith(caller)).body).toMatchObject({ error: 'primetime_confirmation_required' });
    }
    expect(await viewOf(riding)).toEqual(before);
  });
});
