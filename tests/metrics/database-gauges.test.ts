import { pino } from 'pino';
import { Registry } from 'prom-client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { LIVE_WORLD } from '../../server/domain/worlds/live.ts';
import { databaseGauges } from '../../server/metrics/database-gauges.ts';
import { insertApplicationIfAbsent } from '../../server/store/applications.ts';
import { openStore, type Store } from '../../server/store/engine/open.ts';
import { insertWorldIfAbsent } from '../../server/store/worlds.ts';
import { application, insertEvent, NOON, webhookEvent } from '../store/samples.ts';
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

  test('the gauges of a queue show how many entries wait and how long the first one has been due', async () => {
    await insertApplicationIfAbsent(store.db, application());
    await insertWorldIfAbsent(store.db, LIVE_WORLD, 0);
    await store.transaction((tx) => insertEvent(tx, webhookEvent({ occurredAt: NOON }), LIVE_WORLD, NOON));
    const { values } = newGauges(() => NOON + 1500);
    expect(await values()).toMatchObject({
      ridehail_database_up: 1,
      'ridehail_deliveries live due': 1,
      'ridehail_deliveries live later': 0,
      'ridehail_deliveries_oldest_due_age_seconds live': 1.5,
      'ridehail_timers_oldest_due_age_seconds live': 0,
    });
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

  test.runIf(engine === 'postgres')(
    'each pool reports its connections, idle connections and waiting queries',
    async () => {
      const { values } = newGauges();
      await values();
      expect(await values()).toMatchObject({
        'ridehail_database_connections metrics': 1,
        'ridehail_database_idle_connections metrics': 1,
        'ridehail_database_connections_max metrics': 1,
        'ridehail_database_waiting_queries requests': 0,
      });
    },
  );

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

  test.runIf(engine === 'sqlite')('SQLite has no pools, so it has no gauges for them', async () => {
    expect(Object.keys(await newGauges().values()).filter((name) => name.includes('connections'))).toEqual([]);
  });
});
