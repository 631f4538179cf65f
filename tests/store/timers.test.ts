import { beforeEach, describe, expect, test } from 'vitest';
import { freeze, type World } from '../../server/domain/worlds/clock.ts';
import { LIVE_WORLD } from '../../server/domain/worlds/live.ts';
import { saveClock } from '../../server/store/clocks.ts';
import { claimDueTimers, clearTimer, clearTimers, nextRealDue, setTimers } from '../../server/store/timers.ts';
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
    (await claimDueTimers(store.db, { realNow, leaseMs: LEASE_MS, limit })).map(({ subjectId }) => subjectId);

  const setTimer = (world: World, set: ReturnType<typeof timer>) =>
    store.transaction(async (tx) => setTimers(tx, await holdWorld(tx, world), [set]));

  const saveSandboxClock = (clock: World['clock']) => store.transaction((tx) => saveClock(tx, 'sandbox', clock));

  test('what is due is claimed, earliest first, up to the limit', async () => {
    for (const n of [3, 1, 4, 2]) await setTimer(LIVE_WORLD, timer(`t${n}`, NOON + n));
    expect(await claimIds(NOON)).toEqual([]);
    const claimed = await claimDueTimers(store.db, { realNow: NOON + 3, leaseMs: LEASE_MS, limit: 2 });
    expect(claimed).toEqual([
      { worldId: 'live', ...timer('t1', NOON + 1) },
      { worldId: 'live', ...timer('t2', NOON + 2) },
    ]);
    expect(await claimIds(NOON + 3)).toEqual(['t3']);
  });

  test.runIf(engine === 'postgres')('a worker does not wait for what another one is claiming', async () => {
    await setTimer(LIVE_WORLD, timer('a', NOON));
    await setTimer(LIVE_WORLD, timer('b', NOON + 1));
    await store.transaction(async (tx) => {
      const first = await claimDueTimers(tx, { realNow: NOON + 1, leaseMs: LEASE_MS, limit: 1 });
      expect(first.map(({ subjectId }) => subjectId)).toEqual(['a']);
      expect(await claimIds(NOON + 1)).toEqual(['b']);
    });
  });

  test('a timer is one of its kind, subject and world', async () => {
    const sandboxed = sandbox({ clock: { realAnchor: NOON, worldAnchor: NOON, running: true } });
    await saveSandboxClock(sandboxed.clock);
    await setTimer(LIVE_WORLD, timer('t', NOON));
    await setTimer(LIVE_WORLD, timer('t', NOON, 'pay'));
    await setTimer(sandboxed, timer('t', NOON));
    await clearTimers(store.db, { worldId: 'live', kind: 'move' }, ['t']);
    const left = await claimDueTimers(store.db, { realNow: NOON, leaseMs: LEASE_MS, limit: 9 });
    expect(left.map(({ worldId, kind }) => `${worldId} ${kind}`).sort()).toEqual(['live pay', 'sandbox move']);
  });

  test('a worker that is done does not remove what was set anew', async () => {
    await setTimer(LIVE_WORLD, timer('t', NOON));
    const [claimed] = await claimDueTimers(store.db, { realNow: NOON, leaseMs: LEASE_MS, limit: 1 });
    await setTimer(LIVE_WORLD, timer('t', NOON + 5));
    await clearTimer(store.db, claimed!);
    expect(await nextRealDue(store.db)).toBe(NOON + 5);
    await clearTimer(store.db, { ...claimed!, dueAt: NOON + 5 });
    expect(await nextRealDue(store.db)).toBeNull();
  });

  test('the next thing to claim is known: when it is due, or when its lease ends', async () => {
    expect(await nextRealDue(store.db)).toBeNull();
    await setTimer(LIVE_WORLD, timer('a', NOON));
    await setTimer(LIVE_WORLD, timer('b', NOON + 2 * LEASE_MS));
    expect(await nextRealDue(store.db)).toBe(NOON);
    await claimIds(NOON);
    expect(await nextRealDue(store.db)).toBe(NOON + LEASE_MS);
    await clearTimers(store.db, { worldId: 'live', kind: 'move' }, ['a']);
    expect(await nextRealDue(store.db)).toBe(NOON + 2 * LEASE_MS);
  });

  test('a timer set by one who has not seen the clock change is due by the clock as it is', async () => {
    await saveSandboxClock(freeze(sandbox().clock, 1010));
    await setTimer(sandbox(), timer('t', NOON + 50));
    expect(await nextRealDue(store.db)).toBeNull();
  });

  test('a clock that is set while a timer is being set counts for that timer', async () => {
    const set: Parameters<typeof meanwhile>[2] = async (tx) =>
      setTimers(tx, await holdWorld(tx, sandbox()), [timer('t', NOON + 50)]);
    await meanwhile(store, 'worlds', set, () => saveSandboxClock(freeze(sandbox().clock, 1010)));
    expect(await nextRealDue(store.db)).toBeNull();
  });
});
