import type { PluginTransformResultArgs } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import type { Ride } from '../../server/domain/rides/ride.ts';
import { isUniqueViolation } from '../../server/store/engine/errors.ts';
import { activeRidesOf, busyDriverIds, findRide, insertRide, updateRide } from '../../server/store/rides.ts';
import { StaleVersion } from '../../server/store/transaction.ts';
import type { HeldWorld } from '../../server/store/worlds.ts';
import { engines } from '../support/database.ts';
import { storeForEach } from '../support/started.ts';
import { failureOf } from './meeting.ts';
import { canceledRide, driver, NOON, ride, sandbox } from './samples.ts';

const MINUTE = 60_000;
const INDEXES = ['one_active_ride', 'one_ride_per_driver', 'one_ride_per_cost_token'] as const;
const OVER = canceledRide({ requestedAt: NOON });
const DRIVEN = ride({ driver: driver('d1'), status: 'accepted' });

describe.each(engines)('on %s', (engine) => {
  const store = storeForEach(engine);

  test('a change to an outdated version is refused', async () => {
    await insertRide(store.db, ride());
    await updateRide(store.db, ride());
    await expect(updateRide(store.db, ride())).rejects.toThrow(StaleVersion);
    await expect(updateRide(store.db, ride({ id: 'unknown' }))).rejects.toThrow(StaleVersion);
    expect(await findRide(store.db, 'live', 'ride')).toEqual(ride({ version: 2 }));
  });

  test.each<[rule: string, index: (typeof INDEXES)[number], first: Ride, second: Ride, costToken: string | null]>([
    ['a passenger has at most one active ride', 'one_active_ride', ride(), ride(), null],
    ['a driver has at most one active ride', 'one_ride_per_driver', DRIVEN, { ...DRIVEN, passengerId: 'bob' }, null],
    ['a cost token is used for one ride, even after its end,', 'one_ride_per_cost_token', OVER, OVER, 'token'],
  ])('%s in a world', async (_, index, first, second, costToken) => {
    const again = { ...second, id: 'second' };
    await insertRide(store.db, first, costToken);
    // even after the reruns of its transaction
    const error = await failureOf(store.transaction((tx) => insertRide(tx, again, costToken)));
    expect(INDEXES.filter((each) => isUniqueViolation(error, each))).toEqual([index]);
    await insertRide(store.db, { ...again, worldId: 'sandbox' }, costToken);
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

  test('active rides are read in the order of their passengers, and fewer at once if they are long', async () => {
    const long = (passengerId: string) => ({
      ...ride({ id: passengerId, passengerId, worldId: 'long' }),
      pad: 'x'.repeat(60_000),
    });
    for (const passengerId of ['c', 'a', 'b']) await insertRide(store.db, long(passengerId));
    const read = (after: string) =>
      store.transaction((tx) => activeRidesOf(tx, sandbox({ id: 'long' }) as HeldWorld, { after, limit: 3 }));
    expect(await read('')).toMatchObject({ rides: [{ id: 'a' }], hasMore: true });
    expect(await read('a')).toMatchObject({ rides: [{ id: 'b' }], hasMore: true });
    expect(await read('b')).toMatchObject({ rides: [{ id: 'c' }], hasMore: false });
  });

  test('a driver with many recent rides takes one row of the search', async () => {
    const again = ride({ status: 'droppedOff', driver: driver('tireless'), droppedOffAt: NOON + 1 });
    for (let n = 0; n < 5; n += 1) await insertRide(store.db, { ...again, worldId: 'frozen', id: `again-${n}` });
    const transformResult = vi.fn(async ({ result }: PluginTransformResultArgs) => result);
    const watched = store.db.withPlugin({ transformQuery: ({ node }) => node, transformResult });
    expect(await busyDriverIds(watched, 'frozen', NOON, ['tireless', 'idle'])).toEqual(new Set(['tireless']));
    expect(transformResult.mock.lastCall![0].result.rows).toHaveLength(1);
  });
});
