import { describe, expect, test } from 'vitest';
import type { Passenger } from '../../server/domain/passenger.ts';
import type { World } from '../../server/domain/worlds/clock.ts';
import { findPassenger, insertStandIn, updatePassenger } from '../../server/store/passengers.ts';
import { findWorld } from '../../server/store/worlds.ts';
import { sweep } from '../../server/workers/sweep.ts';
import { endWorldInTurns } from '../../server/workers/world-ends.ts';
import { answerOf, failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { everythingStored } from '../support/everything-stored.ts';
import { fillWithRides } from '../support/large-world.ts';
import { newLatch } from '../support/latch.ts';
import { FROZEN, makePassenger, makeWorld } from '../support/sandboxes.ts';
import { LIVE } from '../support/server.ts';
import { testServer } from '../support/started.ts';
import { stepping } from '../support/steps-of.ts';
import { requestRideOf } from '../support/take-ride.ts';

const ENDS = { deleteWorld: 'deletion', resetWorld: 'reset' } as const;
const RIDES = 30;
const MOST_AT_ONCE = { most: 100 };

describe.each(engines)('a large world on %s', (engine) => {
  const server = testServer(engine);

  async function largeWorld() {
    const made = await makeWorld(server, { clock: FROZEN });
    const world = (await findWorld(server.store.db, made.world.world_id))!;
    await fillWithRides(server, world, RIDES);
    return { ...made, id: world.id };
  }

  /** The number of rows of a world in each table, without empty tables. */
  async function rowsOf(id: World['id']): Promise<Record<string, number>> {
    const counts = Object.entries(await everythingStored(server.store)).map(
      ([name, rows]) => [name, rows.filter((row) => row.includes(id)).length] as const,
    );
    return Object.fromEntries(counts.filter(([, count]) => count > 0));
  }
  const LEFT = { deleteWorld: {}, resetWorld: { access_grants: 1, world_usage: 1, worlds: 1 } };

  describe.each(['deleteWorld', 'resetWorld'] as const)('%s', (operation) => {
    const end = ENDS[operation];

    test('deletes a bounded number of rows at a time, and serves other requests in between', async () => {
      const { id } = await largeWorld();
      const { store, steps } = stepping(server.store);
      await endWorldInTurns({ ...server.parts, store }, id, end, MOST_AT_ONCE);
      expect(await rowsOf(id)).toEqual(LEFT[operation]);
      expect(steps.length).toBeGreaterThan(5);
      expect(steps.filter(({ deleted }) => deleted > MOST_AT_ONCE.most + 1)).toEqual([]);
      expect(steps.filter(({ hasTurned }) => !hasTurned)).toEqual([]);
    });

    test('is completed by the sweep if the server ends midway', async () => {
      const { id, api, world } = await largeWorld();
      let calls = 0;
      const { store } = stepping(server.store, () => {
        calls += 1;
        if (calls > 3) throw new Error('the server ends');
      });
      await expect(endWorldInTurns({ ...server.parts, store }, id, end, MOST_AT_ONCE)).rejects.toThrow(
        'the server ends',
      );
      expect((await rowsOf(id)).rides).toBeGreaterThan(0);
      await sweep(server.parts);
      expect(await rowsOf(id)).toEqual(LEFT[operation]);
      if (operation === 'resetWorld') expect((await api.getWorld()).data).toEqual(world);
    });

    test('can be called twice at once, along with other calls', async () => {
      const { id, api } = await largeWorld();
      const endIt = () => endWorldInTurns(server.parts, id, end, MOST_AT_ONCE);
      const calls = [endIt(), endIt(), api[operation](), api.createPassenger(), api.getWorld()];
      const [first, second, ...answers] = await Promise.allSettled(calls);
      expect([first!.status, second!.status]).toContain('fulfilled');
      for (const answer of answers) expect(answer).toMatchObject({ status: 'fulfilled' });
      const { response } = await api[operation]();
      // the token of a deleted world is gone
      expect(response.status).toBe(operation === 'deleteWorld' ? 401 : 204);
      expect(await rowsOf(id)).toEqual(LEFT[operation]);
    });
  });

  test('restores the original data of many stand-ins, a bounded number at a time', async () => {
    const { db } = server.store;
    const { world_id: id } = (await makeWorld(server, { clock: FROZEN })).world;
    const world = (await findWorld(db, id))!;
    const first: (Passenger | undefined)[] = [];
    for (let n = 0; n < RIDES; n++) {
      const { id: passengerId } = await server.newPassenger(LIVE);
      await insertStandIn(db, world, passengerId, String, 0);
      first.push(await findPassenger(db, id, passengerId));
      await updatePassenger(db, id, passengerId, { firstName: 'Changed', paymentMethod: null });
    }
    let transactions = 0;
    const { store } = stepping(server.store, () => {
      transactions += 1;
    });
    await endWorldInTurns({ ...server.parts, store }, id, 'reset', { most: 8 });
    expect(transactions).toBe(Math.ceil(RIDES / 8));
    for (const each of first) expect(await findPassenger(db, id, each!.id)).toEqual(each);
  });

  test('is gone for every caller from the first step of its deletion', async () => {
    const { id, api } = await largeWorld();
    const rider = await makePassenger(server, { api });
    const first = newLatch();
    const rest = newLatch();
    let calls = 0;
    const { store } = stepping(server.store, () => {
      calls += 1;
      if (calls === 1) return;
      first.open();
      return rest.promise;
    });
    const deleting = endWorldInTurns({ ...server.parts, store }, id, 'deletion', MOST_AT_ONCE);
    await first.promise;
    expect((await rowsOf(id)).rides).toBe(RIDES);
    for (const caller of [api, rider.api]) {
      expect(answerOf(await caller.getWorld())).toEqual(failure(401, 'invalid_token'));
    }
    rest.open();
    await deleting;
    expect(await rowsOf(id)).toEqual({});
  });

  test('keeps what was created after its reset when a sweep completes that reset', async () => {
    const { id, api } = await largeWorld();
    await api.resetWorld();
    const rider = await makePassenger(server, { api });
    const rideId = await requestRideOf(rider);
    await endWorldInTurns(server.parts, id, 'reset', { isBegun: true });
    expect((await rider.api.getRide({ params: { path: { ride_id: rideId } } })).data?.status).toBe('pending');
  });
});
