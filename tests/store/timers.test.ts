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

  const claim = (realNow: number, limit = 100, worldId = 'live', db = store.db) =>
    claimDueTimers(db, { worldId, realNow, leaseMs: LEASE_MS, limit });
  const claimIds = async (...due: Parameters<typeof claim>) => (await claim(...due)).map(({ subjectId }) => subjectId);

  const setTimer = (world: World, set: ReturnType<typeof timer>) =>
    store.transaction(async (tx) => setTimers(tx, await holdWorld(tx, world), [set]));

  const saveSandboxClock = (clock: World['clock']) => store.transaction((tx) => saveClock(tx, 'sandbox', clock));

  test('due timers are claimed, earliest first, up to the limit', async () => {
    for (const n of [3, 1, 4, 2]) await setTimer(LIVE_WORLD, timer(`t${n}`, NOON + n));
    expect(await claimIds(NOON)).toEqual([]);
    const first = [timer('t1', NOON + 1), timer('t2', NOON + 2)];
    expect(await claim(NOON + 3, 2)).toEqual(first.map((each) => ({ worldId: 'live', ...each })));
    expect(await claimIds(NOON + 3)).toEqual(['t3']);
  });

  test.runIf(engine === 'postgres')('a worker does not wait for another claim in progress', async () => {
    await setTimer(LIVE_WORLD, timer('a', NOON));
    await setTimer(LIVE_WORLD, timer('b', NOON + 1));
    await store.transaction(async (tx) => {
      expect(await claimIds(NOON + 1, 1, 'live', tx)).toEqual(['a']);
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
    const left = [...(await claim(NOON)), ...(await claim(NOON, 9, 'sandbox'))];
    expect(left.map(({ worldId, kind }) => `${worldId} ${kind}`)).toEqual(['live pay', 'sandbox move']);
  });

  test('a worker that finishes does not remove a timer that was set again', async () => {
    await setTimer(LIVE_WORLD, timer('t', NOON));
    const [claimed] = await claim(NOON);
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

  test('sandboxes with due timers are found once each, longest wait first, a bounded number at a time', async () => {
    await setTimer(LIVE_WORLD, timer('t', 1));
    for (const [id, dueAt] of Object.entries({ a: NOON - 1, b: NOON - 9, c: NOON + 1, d: NOON - 5 })) {
      const world = sandbox({ id, clock: { realAnchor: 0, worldAnchor: 0, running: true } });
      await insertWorldIfAbsent(store.db, world, 0);
      for (const n of [0, 1, 2]) await setTimer(world, timer(`t${n}`, dueAt + n));
    }
    const look = (after: string, mostSandboxes: number) =>
      dueSandboxes(store.db, { realNow: NOON, after, mostSandboxes });
    expect(await look('', 9)).toEqual({ worldIds: ['b', 'd', 'a'], last: null });
    expect(await look('', 2)).toEqual({ worldIds: ['b', 'a'], last: 'b' });
    expect(await look('b', 2)).toEqual({ worldIds: ['d'], last: 'd' });
    expect(await look('d', 2)).toEqual({ worldIds: [], last: null });
    await claim(NOON, 9, 'b');
    expect((await look('', 9)).worldIds).toEqual(['d', 'a']);
    // many sandboxes whose timers are due later are not read
    await claim(NOON, 9, 'a');
    await claim(NOON, 2, 'd');
    expect(await look('', 2)).toEqual({ worldIds: ['d'], last: null });
  });

  test('more timers than one statement can hold are set and cleared', async () => {
    const subjects = Array.from({ length: 6000 }, (_, index) => `ride-${index}`);
    const timersThere = async () => (await store.db.selectFrom('timers').select('subjectId').execute()).length;
    await store.transaction(async (tx) => {
      const timers = subjects.map((subjectId) => timer(subjectId, 1));
      await setTimers(tx, await holdWorld(tx, sandbox()), timers);
    });
    expect(await timersThere()).toBe(6000);
    await clearTimers(store.db, { worldId: 'sandbox', kind: 'move' }, subjects);
    expect(await timersThere()).toBe(0);
  });
});
