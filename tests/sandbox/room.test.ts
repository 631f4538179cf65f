import { describe, expect, test } from 'vitest';
import { WORLD_LIMITS } from '../../generated/server.ts';
import { DAY_MS } from '../../server/domain/time.ts';
import type { WorldEnd } from '../../server/store/schema.ts';
import { usageOf } from '../../server/store/usage.ts';
import { sweep } from '../../server/workers/sweep.ts';
import { endWorldInTurns } from '../../server/workers/world-ends.ts';
import { answerOf, failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { fillWithRides } from '../support/large-world.ts';
import { makePassenger, makeWorld } from '../support/sandboxes.ts';
import { testServer } from '../support/started.ts';
import { requestRideOf } from '../support/take-ride.ts';

const RIDES = 30;
const TENANT = { id: 'tenant', sandboxWorldId: 'none' };

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine);
  const used = () => usageOf(server.store.db, TENANT);

  test.each<WorldEnd>(['reset', 'deletion'])('a sandbox counts what it contains, until its %s', async (end) => {
    const empty = await used();
    const world = await server.newWorld({ applicationId: TENANT.id });
    const fresh = await used();
    await fillWithRides(server, world, RIDES);
    const full = await used();
    const rows = { passengers: RIDES, rides: RIDES, events: 3 * RIDES };
    expect(full).toMatchObject({ ...rows, worlds: fresh.worlds });
    // a thousand bytes of each response are stored, and each event was attempted four times
    expect(full.bytes - fresh.bytes).toBeGreaterThan(rows.events * 4 * 1000 + rows.rides * 1000);
    const { passenger, api } = await server.newRider(world);
    await requestRideOf({ api });
    const active = await used();
    expect(active).toMatchObject({ passengers: RIDES + 1, rides: RIDES + 1 });
    await server.advance(world, DAY_MS);
    const ended = await used();
    expect(ended.rides).toBe(RIDES + 1);
    expect(ended.bytes).toBeGreaterThan(active.bytes);
    server.passTime(32 * DAY_MS);
    await sweep(server.parts);
    // the world was not used, so it is gone, with all of its data
    expect(await used()).toEqual(empty);
    expect(passenger.worldId).toBe(world.id);
    const again = await server.newWorld({ applicationId: TENANT.id });
    await fillWithRides(server, again, RIDES);
    await endWorldInTurns(server.parts, again.id, end, { most: 50 });
    expect(await used()).toMatchObject(end === 'reset' ? { ...fresh, bytes: expect.any(Number) } : empty);
    if (end === 'reset') await endWorldInTurns(server.parts, again.id, 'deletion');
    expect(await used()).toEqual(empty);
  });

  test('the last place is given, and a world of the same application that was reset makes room', async () => {
    const [home, other] = [await makeWorld(server), await makeWorld(server)];
    await makePassenger(server, other);
    const before = (await usageOf(server.store.db, { id: 'demo', sandboxWorldId: 'demo-sandbox' })).passengers;
    const usage = server.store.db.updateTable('worldUsage').where('worldId', '=', other.world.world_id);
    const missing = WORLD_LIMITS.passengers - before - 1;
    await usage.set((row) => ({ passengers: row('passengers', '+', missing) })).execute();
    const rider = await makePassenger(server, home);
    expect(answerOf(await home.api.createPassenger({}))).toEqual(failure(409, 'too_many_passengers'));
    await requestRideOf(rider);
    await usage.set((row) => ({ passengers: row('passengers', '-', missing) })).execute();
    await other.api.resetWorld();
    await makePassenger(server, home);
  });
});
