import type { Transaction } from 'kysely';
import { describe, expect, test } from 'vitest';
import { LIVE_WORLD } from '../../server/domain/worlds/live.ts';
import { isUniqueViolation } from '../../server/store/engine/errors.ts';
import {
  activeRidesOf,
  busyDriverIds,
  findRide,
  insertRide,
  latestRideOf,
  listFinishedRides,
  updateRide,
} from '../../server/store/rides.ts';
import type { Database } from '../../server/store/schema.ts';
import { StaleVersion } from '../../server/store/transaction.ts';
import { holdWorld } from '../../server/store/worlds.ts';
import { engines } from '../support/database.ts';
import { driveUntil } from '../support/drive-ride.ts';
import { fakeRide } from '../support/fake-area.ts';
import { dropNulls } from '../support/older-rows.ts';
import { storeForEach } from '../support/started.ts';
import { failureOf } from './meeting.ts';
import { canceledRide, driver, NOON, ride } from './samples.ts';

const MINUTE = 60_000;
const INDEXES = ['one_active_ride', 'one_ride_per_driver', 'one_ride_per_cost_token'] as const;

describe.each(engines)('on %s', (engine) => {
  const store = storeForEach(engine);

  test('a ride is read as it was saved, only in its own world, and a change increments its version', async () => {
    await insertRide(store.db, ride());
    expect(await findRide(store.db, 'live', 'ride')).toEqual(ride());
    expect(await findRide(store.db, 'sandbox', 'ride')).toBeUndefined();
    const change = { status: 'accepted', driver: driver('d1'), acceptedAt: NOON + 5 } as const;
    await updateRide(store.db, ride(change));
    expect(await findRide(store.db, 'live', 'ride')).toEqual(ride({ ...change, version: 2 }));
  });

  test('a row without a newer field has null for it, also in nested objects', async () => {
    const rating = { stars: 4, feedback: null, tip: null, at: NOON };
    const { driver: sam, ...over } = driveUntil(fakeRide({ passengerId: 'ada' }), 'droppedOff');
    const vehicle = { ...sam!.vehicle, licensePlateState: null };
    const finished = { ...over, driver: { ...sam!, vehicle }, rating };
    const waiting = ride({ destination: null });
    for (const each of [finished, waiting]) await insertRide(store.db, each);
    await dropNulls(store);
    expect(await findRide(store.db, 'live', 'ride')).toEqual(waiting);
    expect(await latestRideOf(store.db, 'live', 'ada')).toEqual(waiting);
    const active = store.transaction(async (tx) =>
      activeRidesOf(tx, await holdWorld(tx, LIVE_WORLD), { after: '', limit: 9 }),
    );
    expect(await active).toEqual([waiting]);
    const ever = { startsAfter: 0, startsBefore: null, limit: 9 };
    expect(await listFinishedRides(store.db, 'live', 'ada', ever)).toEqual([finished]);
  });

  test('a change to an outdated version is refused', async () => {
    await insertRide(store.db, ride());
    await updateRide(store.db, ride());
    await expect(updateRide(store.db, ride())).rejects.toThrow(StaleVersion);
    await expect(updateRide(store.db, ride({ id: 'unknown' }))).rejects.toThrow(StaleVersion);
    expect((await findRide(store.db, 'live', 'ride'))?.version).toBe(2);
  });

  /** The unique indexes that a write violates, even after a retry of its transaction. */
  async function violatedBy(write: (tx: Transaction<Database>) => Promise<unknown>): Promise<string[]> {
    const error = await failureOf(store.transaction(write));
    expect(isUniqueViolation(error)).toBe(true);
    return INDEXES.filter((index) => isUniqueViolation(error, index));
  }

  test('a passenger has at most one active ride in a world', async () => {
    await insertRide(store.db, canceledRide({ id: 'before', requestedAt: NOON - MINUTE }));
    await insertRide(store.db, ride());
    expect(await violatedBy((tx) => insertRide(tx, ride({ id: 'second' })))).toEqual(['one_active_ride']);
    await insertRide(store.db, ride({ worldId: 'sandbox' }));
    await insertRide(store.db, ride({ id: 'another', passengerId: 'bob' }));
    await updateRide(store.db, canceledRide({ requestedAt: NOON }));
    await insertRide(store.db, ride({ id: 'second' }));
  });

  test('a driver has at most one active ride in a world', async () => {
    await insertRide(store.db, ride({ driver: driver('d1'), status: 'accepted' }));
    await insertRide(store.db, ride({ id: 'b', passengerId: 'bob' }));
    const taken = ride({ id: 'b', passengerId: 'bob', driver: driver('d1'), status: 'accepted' });
    expect(await violatedBy((tx) => updateRide(tx, taken))).toEqual(['one_ride_per_driver']);
    await insertRide(store.db, { ...taken, worldId: 'sandbox' });
  });

  test('a cost token can be used for one ride in a world, even after that ride ends', async () => {
    const ridden = (id: string) => canceledRide({ id, requestedAt: NOON });
    await insertRide(store.db, ridden('first'), 'token');
    await updateRide(store.db, ridden('first'));
    const again = await violatedBy((tx) => insertRide(tx, ridden('second'), 'token'));
    expect(again).toEqual(['one_ride_per_cost_token']);
    await insertRide(store.db, ridden('second'), 'another');
    await insertRide(store.db, { ...ridden('first'), worldId: 'sandbox' }, 'token');
    for (const id of ['third', 'fourth']) await insertRide(store.db, ridden(id), null);
  });

  test('a second ride with the same key violates another unique index', async () => {
    await insertRide(store.db, canceledRide({ requestedAt: NOON }));
    expect(await violatedBy((tx) => insertRide(tx, canceledRide({ requestedAt: NOON })))).toEqual([]);
    expect(isUniqueViolation(new Error('no'))).toBe(false);
  });

  test('the latest ride of a passenger in a world is found, active or not', async () => {
    await insertRide(store.db, canceledRide({ id: 'z', requestedAt: NOON - MINUTE }));
    await insertRide(store.db, canceledRide({ id: 'bobs', passengerId: 'bob', requestedAt: NOON + MINUTE }));
    await insertRide(store.db, canceledRide({ id: 'sandboxed', worldId: 'sandbox', requestedAt: NOON + MINUTE }));
    expect((await latestRideOf(store.db, 'live', 'ada'))?.id).toBe('z');
    await insertRide(store.db, ride({ id: 'a' }));
    expect(await latestRideOf(store.db, 'live', 'ada')).toEqual(ride({ id: 'a' }));
    expect(await latestRideOf(store.db, 'live', 'nobody')).toBeUndefined();
  });

  test('a driver is busy during a ride and for a while after it, however it ended', async () => {
    const rides = [
      ride({ status: 'accepted', driver: driver('driving') }),
      ride({ status: 'pending', passengerId: 'bob' }),
      ride({ status: 'droppedOff', driver: driver('just now'), droppedOffAt: NOON + 1 }),
      ride({ status: 'droppedOff', driver: driver('at that instant'), droppedOffAt: NOON }),
      ride({ status: 'droppedOff', driver: driver('long ago'), droppedOffAt: NOON - MINUTE }),
      ride({ status: 'canceled', driver: driver('canceled'), canceledAt: NOON + 1 }),
      ride({ status: 'unknown', driver: driver('lost'), lastEventAt: NOON + 1 }),
      ride({ status: 'accepted', driver: driver('elsewhere'), worldId: 'sandbox' }),
    ];
    for (const [n, each] of rides.entries()) await insertRide(store.db, { ...each, id: `r${n}` });
    const drivers = rides.flatMap(({ driver }) => driver?.driverId ?? []);
    const busyIn = (world: string, among = drivers) => busyDriverIds(store.db, world, NOON, among);
    expect(await busyIn('live')).toEqual(new Set(['driving', 'just now', 'canceled', 'lost']));
    expect(await busyIn('live', ['lost', 'long ago'])).toEqual(new Set(['lost']));
    expect(await busyIn('empty')).toEqual(new Set());
  });
});
