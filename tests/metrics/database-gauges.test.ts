import { pino } from 'pino';
import { Registry } from 'prom-client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '../../server/domain/time.ts';
import { freeze, type World } from '../../server/domain/worlds/clock.ts';
import { LIVE_WORLD } from '../../server/domain/worlds/live.ts';
import { databaseGauges } from '../../server/metrics/database-gauges.ts';
import { insertApplicationIfAbsent } from '../../server/store/applications.ts';
import { openStore, type Store } from '../../server/store/engine/open.ts';
import { insertPassengerIfAbsent } from '../../server/store/passengers.ts';
import { MOST_COUNTED } from '../../server/store/queue-depths.ts';
import { setTimers } from '../../server/store/timers.ts';
import { holdWorld, insertWorldIfAbsent } from '../../server/store/worlds.ts';
import { application, insertEvent, NOON, passenger, sandbox, webhookEvent } from '../store/samples.ts';
import { engines } from '../support/database.ts';
import { fragile } from '../support/fragile-store.ts';
import { silentProxy } from '../support/silent-proxy.ts';
import { newUrl, opened, storeForEach } from '../support/started.ts';
import { until } from '../support/until.ts';

/** The values of all gauges: `name label label` to value. */
async function valuesOf(register: Registry): Promise<Record<string, number>> {
  const metrics = await register.getMetricsAsJSON();
  return Object.fromEntries(
    metrics.flatMap(({ name, values }) =>
      values.map(({ labels, value }) => [[name, ...Object.values(labels)].join(' '), value]),
    ),
  );
}

const CLOCK = { realAnchor: NOON, worldAnchor: NOON, running: true };
const RUNNING = sandbox({ clock: CLOCK });
const FROZEN = sandbox({ id: 'frozen', clock: freeze(CLOCK, NOON) });
const QUEUE = /^ridehail_(timers|deliveries)/;

describe.each(engines)('on %s', (engine) => {
  const store = storeForEach(engine);

  /** Gauges of a store whose queries fail on demand. */
  function newGauges(now = () => NOON) {
    const lines: string[] = [];
    const logger = pino({}, { write: (line) => void lines.push(line) });
    const { store: failing, faults } = fragile({ db: store.forMetrics.db } as Store);
    const register = new Registry();
    const refresh = databaseGauges(register, { store: { pools: store.pools, forMetrics: failing }, now, logger });
    const values = async () => {
      await refresh();
      return valuesOf(register);
    };
    return { values, faults, lines };
  }

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
  /** For each queue, how many entries are due and due later, and for how many seconds the first one has been due. */
  const depths = async (ms = 0) => {
    const all = await newGauges(() => NOON + ms).values();
    const of = (kind: string, queue: string) =>
      [` ${kind} due`, ` ${kind} later`, `_oldest_due_age_seconds ${kind}`].map(
        (end) => all[`ridehail_${queue}${end}`],
      );
    const kinds = ['live', 'sandbox'].flatMap((kind) =>
      ['timers', 'deliveries'].map((queue) => [kind, queue] as const),
    );
    return Object.fromEntries(kinds.map(([kind, queue]) => [`${kind} ${queue}`, of(kind, queue)]));
  };
  const addWorlds = async () => {
    await insertApplicationIfAbsent(store.db, application());
    for (const world of [LIVE_WORLD, RUNNING, FROZEN]) await insertWorldIfAbsent(store.db, world, NOON);
  };

  test('due and later work is counted separately, live and in sandboxes, without frozen worlds', async () => {
    await addWorlds();
    expect(Object.values(await depths())).toEqual(Array(4).fill([0, 0, 0]));
    await setAll(LIVE_WORLD, [1, 2, 3]);
    await setAll(RUNNING, [-5, 9]);
    await setAll(FROZEN, [-5, 9]);
    for (const ms of [-7, -6, 8]) await occur(LIVE_WORLD, ms);
    await occur(RUNNING, SECOND_MS);
    await occur(FROZEN, SECOND_MS);
    expect(await depths(2)).toEqual({
      'live timers': [2, 1, 0.001],
      'sandbox timers': [1, 1, 0.007],
      'live deliveries': [2, 1, 0.009],
      // an event is sent immediately even in a frozen world
      'sandbox deliveries': [0, 1, 0],
    });
  });

  test('what the sandboxes of the largest applications contain is shown, at most a minute old', async () => {
    await addWorlds();
    let now = NOON;
    const { values } = newGauges(() => now);
    const shown = async (name: string) => (await values())[`ridehail_sandbox_${name}`];
    expect(await shown('rows app worlds')).toBe(1);
    await insertPassengerIfAbsent(store.db, passenger({ worldId: RUNNING.id }));
    await insertApplicationIfAbsent(store.db, application({ id: 'larger' }));
    await insertWorldIfAbsent(store.db, sandbox({ id: 'larger', applicationId: 'larger' }), NOON);
    const size = await shown('bytes app');
    now += MINUTE_MS;
    expect(await shown('bytes app')).toBeGreaterThan(size!);
    expect(await shown('rows app passengers')).toBe(1);
    expect(await shown('rows larger worlds')).toBe(1);
  });

  test('a backlog is counted up to a limit, and its oldest timer is found', async () => {
    await addWorlds();
    await setAll(LIVE_WORLD, [...Array(MOST_COUNTED + 10).keys()]);
    expect(await depths(10)).toMatchObject({ 'live timers': [11, MOST_COUNTED - 11, 0.01] });
    expect(await depths(SECOND_MS * 60)).toMatchObject({ 'live timers': [MOST_COUNTED, 0, 60] });
  });

  test('while the database fails, the queue gauges are absent and the log says so once; later they return', async () => {
    const { values, faults, lines } = newGauges();
    const whole = Object.keys(await values());
    faults.failFrom(1, new Error('terminating connection of "maya"'));
    for (let scrape = 0; scrape < 3; scrape += 1) {
      const left = await values();
      expect(left.ridehail_database_up).toBe(0);
      expect(Object.keys(left).sort()).toEqual(whole.filter((name) => !QUEUE.test(name)).sort());
    }
    expect(lines.map((line) => JSON.parse(line).problem)).toEqual(['Error: terminating connection of "…"']);
    faults.mend();
    expect(Object.keys(await values()).sort()).toEqual(whole.sort());
  });

  test('each pool of PostgreSQL reports its connections and waiting queries, and SQLite has no pools', async () => {
    const { values } = newGauges();
    await values();
    const ofPools = Object.entries(await values()).filter(([name]) => /connections|queries/.test(name));
    if (engine === 'sqlite') return expect(ofPools).toEqual([]);
    expect(Object.fromEntries(ofPools)).toMatchObject({
      'ridehail_database_connections metrics': 1,
      'ridehail_database_idle_connections metrics': 1,
      'ridehail_database_connections_max metrics': 1,
      'ridehail_database_waiting_queries requests': 0,
    });
  });

  test.runIf(engine === 'postgres')('an unresponsive database does not delay a scrape', async () => {
    const proxy = await silentProxy(await newUrl('postgres'));
    onTestFinished(proxy.close);
    const behind = await opened(openStore(proxy.url));
    await until(() => expect(proxy.open()).toBe(0));
    const register = new Registry();
    const logger = pino({ level: 'silent' });
    const refresh = databaseGauges(register, { store: behind, now: Date.now, logger });
    proxy.silenceAll();
    await refresh();
    expect((await valuesOf(register)).ridehail_database_up).toBe(0);
  });
});
