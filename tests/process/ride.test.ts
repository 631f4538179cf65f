import { expect, test } from 'vitest';
import { seedLiveWorld } from '../../server/demo.ts';
import { DAY_MS } from '../../server/domain/time.ts';
import { LIVE_WORLD } from '../../server/domain/worlds/live.ts';
import { saveNewRide } from '../../server/rides/save.ts';
import { claimDueTimers } from '../../server/store/due-timers.ts';
import { insertPassengerIfAbsent } from '../../server/store/passengers.ts';
import { findRide } from '../../server/store/rides.ts';
import { holdWorld } from '../../server/store/worlds.ts';
import { passenger, ride } from '../store/samples.ts';
import { newHome } from './support.ts';

test('a ride whose step was interrupted by a kill continues as soon as the next server starts', async () => {
  const { start, withStore } = await newHome();
  const realNow = Date.now();
  const forgotten = ride({ status: 'accepted', lastEventAt: realNow - DAY_MS });
  await withStore(async (store) => {
    await seedLiveWorld(store, realNow);
    await insertPassengerIfAbsent(store.db, passenger());
    await store.transaction(async (tx) =>
      saveNewRide({ simulationSpeed: 60 }, tx, await holdWorld(tx, LIVE_WORLD), forgotten, { at: realNow }),
    );
    expect(await claimDueTimers(store.db, { worldId: 'live', realNow, leaseMs: DAY_MS, limit: 9 })).toHaveLength(1);
  });
  const next = await start();
  await next.end('SIGTERM');
  expect(await withStore((store) => findRide(store.db, 'live', forgotten.id))).toMatchObject({ status: 'unknown' });
});
