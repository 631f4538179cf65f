import { describe, expect, test } from 'vitest';
import type { World } from '../../server/domain/worlds/clock.ts';
import { ACROSS_TOWN, costTokenOf } from '../support/accepted-calls.ts';
import { answerOf, failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { viewOf } from '../support/passengers-view.ts';
import { LIVE, type Rider } from '../support/server.ts';
import { testServer } from '../support/started.ts';
import { ridingOf } from '../support/take-ride.ts';

/** Friday, 23:30 in San Francisco, when Prime Time applies. */
const FRIDAY_NIGHT = Date.UTC(2026, 4, 16, 6, 30);

// other tests cover unused tokens (api/requestRide-price), repeated cancels (api/cancelRide) and ratings (api/rateRide)
describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine, { rateLimitMultiplier: 1000, startsAt: FRIDAY_NIGHT });

  const requestWith = async ({ api }: Pick<Rider, 'api'>, cost_token?: string) =>
    answerOf(await api.requestRide({ body: { ...ACROSS_TOWN, ...(cost_token !== undefined && { cost_token }) } }));

  test.each<[string, () => Promise<World>]>([
    ['live', async () => LIVE],
    ['in a sandbox', () => server.newWorld({ at: FRIDAY_NIGHT })],
  ])('%s, nobody can use a cost token for a second ride', async (_, worldOf) => {
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
