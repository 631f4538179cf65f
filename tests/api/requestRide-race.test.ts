import { describe, expect, test } from 'vitest';
import type { World } from '../../server/domain/worlds/clock.ts';
import { latestRideOf } from '../../server/store/rides.ts';
import { ACROSS_TOWN } from '../support/accepted-calls.ts';
import { answerOf, failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { LIVE, type Rider, type TestServer } from '../support/server.ts';
import { testServer } from '../support/started.ts';

/** Friday, 23:30 in San Francisco: Prime Time. */
const FRIDAY_NIGHT = Date.UTC(2026, 4, 16, 6, 30);
const CREATED = { status: 201, body: expect.objectContaining({ status: 'pending' }) };
const IN_RIDE = failure(409, 'user_already_in_ride', [{ ride_id: expect.any(String) }]);

/** Sends `times` requests at once, with each client in turn. */
const race = (times: number, apis: ReadonlyArray<Rider['api']>, body = ACROSS_TOWN) =>
  Promise.all(
    Array.from({ length: times }, async (_, i) => answerOf(await apis[i % apis.length]!.requestRide({ body }))),
  );

/** The number of rows that a world has in each table. */
async function rowsOf({ store }: TestServer, { id }: World) {
  const count = async (table: 'rides' | 'timers') =>
    (await store.db.selectFrom(table).select('worldId').where('worldId', '=', id).execute()).length;
  return { rides: await count('rides'), timers: await count('timers') };
}

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine, { rateLimitMultiplier: 20 });

  const worlds: [string, () => Promise<World>][] = [
    ['live', async () => LIVE],
    ['in a sandbox', () => server.newWorld()],
  ];

  describe.each(worlds)('%s', (_, worldOf) => {
    test.each([2, 20])('%i concurrent requests create one ride', async (times) => {
      const world = await worldOf();
      const rider = await server.newRider(world);
      const token = await server.newToken({ ...rider, world, applicationId: 'another' });
      const answers = (await race(times, [rider.api, server.client({ token })])).sort((a, b) => a.status - b.status);
      expect(answers[0]).toEqual(CREATED);
      const ride = await latestRideOf(server.store.db, world.id, rider.passenger.id);
      expect(answers[0]!.body).toMatchObject({ ride_id: ride!.id });
      const named = failure(409, 'user_already_in_ride', [{ ride_id: ride!.id }]);
      expect(answers.slice(1)).toEqual(Array(times - 1).fill(named));
      expect(ride!.version).toBe(1);
    });

    test('concurrent requests of twenty passengers create a ride each', async () => {
      const world = await worldOf();
      const riders = await Promise.all(Array.from({ length: 20 }, () => server.newRider(world)));
      const answers = (await Promise.all(riders.map(({ api }) => race(1, [api])))).flat();
      expect(answers).toEqual(Array(20).fill(CREATED));
      expect(new Set(answers.map(({ body }) => (body as { ride_id: string }).ride_id)).size).toBe(20);
    });
  });

  test.each([2, 20])('%i concurrent requests with one cost_token use it once', async (times) => {
    const world = await server.newWorld({ at: FRIDAY_NIGHT });
    const rider = await server.newRider(world);
    const { error } = await rider.api.requestRide({ body: ACROSS_TOWN });
    if (error?.error !== 'primetime_confirmation_required')
      throw new Error('requestRide did not ask to confirm Prime Time.');
    const body = { ...ACROSS_TOWN, cost_token: error.cost_token };
    const answers = (await race(times, [rider.api], body)).sort((a, b) => a.status - b.status);
    expect(answers).toEqual([CREATED, ...Array(times - 1).fill(IN_RIDE)]);
    expect(await rowsOf(server, world)).toEqual({ rides: 1, timers: 1 });
  });
});
