import { beforeEach, describe, expect, test } from 'vitest';
import { freeze, type World } from '../../server/domain/worlds/clock.ts';
import { LIVE_WORLD } from '../../server/domain/worlds/live.ts';
import { saveClock } from '../../server/store/clocks.ts';
import { claimDueTimers, dueSandboxes, nextRealDue } from '../../server/store/due-timers.ts';
import { clearTimer, clearTimers, setTimers } from '../../server/store/timers.ts';
import { holdWorld, insertWorldIfAbsent } from '../../server/store/worlds.ts';
import { engines } from '../support/database.ts';
import { storeForEach } from '../support/started.ts';
import { meanwhile } from './meeting.ts';
import { NOON, sandbox } from './samples.ts';

const LEASE_MS = 30_000;
const timer = (subjectId: string, dueAt: number, kind = 'move') => ({ kind, subjectId, dueAt });

describe.each(engines)('on %s', (engine) => {
  const store = storeForEach(engine);
  beforeEach(async () => {
    await insertWorldIfAbsent(store.db, LIVE_WORLD, 0);
    await insertWorldIfAbsent(store.db, sandbox(), 0);
  });

  const claimIds = async (realNow: number, limit = 100) =>
    (await claimDueTimers(store.db, { worldId: 'live', realNow, leaseMs: LEASE_MS, limit })).map(
      ({ subjectId }) => subjectId,
    );

  const setTimer = (world: World, set: ReturnType<typeof timer>) =>
    store.transaction(async (tx) => setTimers(tx, await holdWorld(tx, world), [set]));

  const saveSandboxClock = (clock: World['clock']) => store.transaction((tx) => saveClock(tx, 'sandbox', clock));

  test('due timers are claimed, earliest first, up to the limit', async () => {
    for (const n of [3, 1, 4, 2]) await setTimer(LIVE_WORLD, timer(`t${n}`, NOON + n));
    expect(await claimIds(NOON)).toEqual([]);
    const claimed = await claimDueTimers(store.db, { worldId: 'live', realNow: NOON + 3, leaseMs: LEASE_MS, limit: 2 });
    expect(claimed).toEqual([
      { worldId: 'live', ...timer('t1', NOON + 1) },
      { worldId: 'live', ...timer('t2', NOON + 2) },
    ]);
    expect(await claimIds(NOON + 3)).toEqual(['t3']);
  });

  test.runIf(engine === 'postgres')('a worker does not wait for another claim in progress', async () => {
    await setTimer(LIVE_WORLD, timer('a', NOON));
    await setTimer(LIVE_WORLD, timer('b', NOON + 1));
    await store.transaction(async (tx) => {
      const first = await claimDueTimers(tx, { worldId: 'live', realNow: NOON + 1, leaseMs: LEASE_MS, limit: 1 });
      expect(first.map(({ subjectId }) => subjectId)).toEqual(['a']);
      expect(await claimIds(NOON + 1)).toEqual(['b']);
    });
  });

  test('a timer is identified by its kind, subject and world', async () => {
    const sandboxed = sandbox({ clock: { realAnchor: NOON, worldAnchor: NOON, running: true } });
    await saveSandboxClock(sandboxed.clock);
    await setTimer(LIVE_WORLD, timer('t', NOON));
    await setTimer(LIVE_WORLD, timer('t', NOON, 'pay'));
    await setTimer(sandboxed, timer('t', NOON));
    await clearTimers(store.db, { worldId: 'live', kind: 'move' }, ['t']);
    const left = [];
    for (const worldId of ['live', 'sandbox']) {
      left.push(...(await claimDueTimers(store.db, { worldId, realNow: NOON, leaseMs: LEASE_MS, limit: 9 })));
    }
    expect(left.map(({ worldId, kind }) => `${worldId} ${kind}`).sort()).toEqual(['live pay', 'sandbox move']);
  });

  test('a worker that finishes does not remove a timer that was set again', async () => {
    await setTimer(LIVE_WORLD, timer('t', NOON));
    const [claimed] = await claimDueTimers(store.db, { worldId: 'live', realNow: NOON, leaseMs: LEASE_MS, limit: 1 });
    await setTimer(LIVE_WORLD, timer('t', NOON + 5));
    await clearTimer(store.db, claimed!);
    expect(await nextRealDue(store.db, 'live')).toBe(NOON + 5);
    await clearTimer(store.db, { ...claimed!, dueAt: NOON + 5 });
    expect(await nextRealDue(store.db, 'live')).toBeNull();
  });

  test('the next claim is possible when the next timer is due or the next lease ends', async () => {
    expect(await nextRealDue(store.db, 'live')).toBeNull();
    await setTimer(LIVE_WORLD, timer('a', NOON));
    await setTimer(LIVE_WORLD, timer('b', NOON + 2 * LEASE_MS));
    expect(await nextRealDue(store.db, 'live')).toBe(NOON);
    await claimIds(NOON);
    expect(await nextRealDue(store.db, 'live')).toBe(NOON + LEASE_MS);
    await clearTimers(store.db, { worldId: 'live', kind: 'move' }, ['a']);
    expect(await nextRealDue(store.db, 'live')).toBe(NOON + 2 * LEASE_MS);
  });

  test('a timer that is set with an outdated clock is due by the current clock', async () => {
    await saveSandboxClock(freeze(sandbox().clock, 1010));
    await setTimer(sandbox(), timer('t', NOON + 50));
    expect(await nextRealDue(store.db, 'sandbox')).toBeNull();
  });

  test('a clock that is set while a timer is being set applies to that timer', async () => {
    const set: Parameters<typeof meanwhile>[2] = async (tx) =>
      setTimers(tx, await holdWorld(tx, sandbox()), [timer('t', NOON + 50)]);
    await meanwhile(store, 'worlds', set, () => saveSandboxClock(freeze(sandbox().clock, 1010)));
    expect(await nextRealDue(store.db, 'sandbox')).toBeNull();
  });

  describe('sandboxes with due timers', () => {
    /** Creates sandboxes a, b, c, … whose first timers are due at these instants, and a timer in the live world. */
    async function sandboxesDueAt(...instants: number[]) {
      await setTimer(LIVE_WORLD, timer('t', 1));
      for (const [i, dueAt] of instants.entries()) {
        const world = sandbox({ id: 'abcdef'[i]!, clock: { realAnchor: 0, worldAnchor: 0, running: true } });
        await insertWorldIfAbsent(store.db, world, 0);
        for (const n of [0, 1, 2]) await setTimer(world, timer(`t${n}`, dueAt + n));
      }
    }
    const look = (after: string, mostSandboxes: number) =>
      dueSandboxes(store.db, { realNow: NOON, after, mostSandboxes });

    test('are found once each, longest wait first, a bounded number at a time', async () => {
      await sandboxesDueAt(NOON - 1, NOON - 9, NOON + 1, NOON - 5);
      expect(await look('', 9)).toEqual({ worldIds: ['b', 'd', 'a'], last: null });
      expect(await look('', 2)).toEqual({ worldIds: ['b', 'a'], last: 'b' });
      expect(await look('b', 2)).toEqual({ worldIds: ['d'], last: 'd' });
      expect(await look('d', 2)).toEqual({ worldIds: [], last: null });
      await claimDueTimers(store.db, { worldId: 'b', realNow: NOON, leaseMs: LEASE_MS, limit: 9 });
      expect((await look('', 9)).worldIds).toEqual(['d', 'a']);
    });
  });
});
