import { beforeEach, describe, expect, test } from 'vitest';
import { SECOND_MS } from '../../server/domain/time.ts';
import { freeze, type World } from '../../server/domain/worlds/clock.ts';
import { LIVE_WORLD } from '../../server/domain/worlds/live.ts';
import { insertApplicationIfAbsent } from '../../server/store/applications.ts';
import { MOST_COUNTED, queueDepths } from '../../server/store/queue-depths.ts';
import { setTimers } from '../../server/store/timers.ts';
import { holdWorld, insertWorldIfAbsent } from '../../server/store/worlds.ts';
import { engines } from '../support/database.ts';
import { storeForEach } from '../support/started.ts';
import { application, insertEvent, NOON, sandbox, webhookEvent } from './samples.ts';

const CLOCK = { realAnchor: NOON, worldAnchor: NOON, running: true };
const RUNNING = sandbox({ clock: CLOCK });
const FROZEN = sandbox({ id: 'frozen', clock: freeze(CLOCK, NOON) });

describe.each(engines)('on %s', (engine) => {
  const store = storeForEach(engine);
  beforeEach(async () => {
    await insertApplicationIfAbsent(store.db, application());
    for (const world of [LIVE_WORLD, RUNNING, FROZEN]) await insertWorldIfAbsent(store.db, world, NOON);
  });

  /** @param dueAts when each timer is due, in milliseconds after noon */
  const setAll = (world: World, dueAts: readonly number[]) =>
    store.transaction(async (tx) => {
      const timers = dueAts.map((ms, n) => ({ kind: 'move', subjectId: `t${n}`, dueAt: NOON + ms }));
      await setTimers(tx, await holdWorld(tx, world), timers);
    });
  const occur = (world: World, ms: number) =>
    store.transaction((tx) => {
      const of = { eventId: `${world.id} ${ms}`, worldId: world.id, occurredAt: NOON + ms };
      return insertEvent(tx, webhookEvent(of), world, NOON + ms);
    });
  const depths = async (ms = 0) =>
    Object.fromEntries(
      (await queueDepths(store.db, NOON + ms)).map(({ queue, kind, due, dueLater, oldestDueAt }) => {
        return [`${kind} ${queue}`, [due, dueLater, oldestDueAt === null ? null : oldestDueAt - NOON]];
      }),
    );

  test('due and later work is counted separately, live and in sandboxes, without frozen worlds', async () => {
    const none = [0, 0, null];
    const kinds = ['live timers', 'sandbox timers', 'live deliveries', 'sandbox deliveries'];
    expect(await depths()).toEqual(Object.fromEntries(kinds.map((kind) => [kind, none])));
    await setAll(LIVE_WORLD, [1, 2, 3]);
    await setAll(RUNNING, [-5, 9]);
    await setAll(FROZEN, [-5, 9]);
    for (const ms of [-7, -6, 8]) await occur(LIVE_WORLD, ms);
    await occur(RUNNING, SECOND_MS);
    await occur(FROZEN, SECOND_MS);
    expect(await depths(2)).toEqual({
      'live timers': [2, 1, 1],
      'sandbox timers': [1, 1, -5],
      'live deliveries': [2, 1, -7],
      // an event is sent immediately even in a frozen world
      'sandbox deliveries': [0, 1, null],
    });
  });

  test('a backlog is counted up to a limit, and its oldest timer is found', async () => {
    await setAll(LIVE_WORLD, [...Array(MOST_COUNTED + 10).keys()]);
    expect(await depths(10)).toMatchObject({ 'live timers': [11, MOST_COUNTED - 11, 0] });
    expect(await depths(SECOND_MS * 60)).toMatchObject({ 'live timers': [MOST_COUNTED, 0, 0] });
  });
});
