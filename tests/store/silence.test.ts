import { sql } from 'kysely';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  CONNECTION_BOUNDS,
  LONGEST_PAUSE_IN_TRANSACTION_MS,
  MOST_WAITING_QUERIES,
  type Purpose,
} from '../../server/store/engine/connections.ts';
import { type OpenStore, openStore, type Store } from '../../server/store/engine/open.ts';
import { mayPassLater } from '../../server/store/transaction.ts';
import { holdWorld, insertWorldIfAbsent } from '../../server/store/worlds.ts';
import { engines } from '../support/database.ts';
import { fakeTimers } from '../support/fake-timers.ts';
import { newLatch } from '../support/latch.ts';
import { type SilentProxy, silentProxy } from '../support/silent-proxy.ts';
import { newUrl, opened, storeForEach } from '../support/started.ts';
import { until } from '../support/until.ts';
import { failureOf, meetingOf } from './meeting.ts';
import { NOON, sandbox } from './samples.ts';

const { requests, workers, health, migrations } = CONNECTION_BOUNDS;

const select = (store: Pick<Store, 'db'>) => sql`select 1`.execute(store.db);

/** Opens this many connections, which are idle afterwards. */
async function connected(store: Store, count: number): Promise<void> {
  const allAreThere = meetingOf(count);
  await Promise.all(Array.from({ length: count }, () => store.transaction(allAreThere)));
}

/** Uses all connections for requests until `release` is called. */
async function inUse(store: Store): Promise<{ readonly done: Promise<unknown>; readonly release: () => void }> {
  const allAreThere = meetingOf(requests.most + 1);
  const { promise, open } = newLatch();
  const use = () =>
    store.transaction(async () => {
      void allAreThere();
      await promise;
    });
  const done = Promise.all(Array.from({ length: requests.most }, use));
  await allAreThere();
  return { done, release: open };
}

describe.runIf(engines.includes('postgres'))('PostgreSQL that stops responding', () => {
  async function behindProxy(): Promise<{ readonly proxy: SilentProxy; readonly store: OpenStore }> {
    const proxy = await silentProxy(await newUrl('postgres'));
    onTestFinished(proxy.close);
    const store = await opened(openStore(proxy.url));
    // the connections for migrations are closed
    await until(() => expect(proxy.open()).toBe(0));
    return { proxy, store };
  }

  /** Lets a silence last, in fake time, until the work fails. @param lost how many messages of the server get lost */
  async function failInSilence(
    proxy: SilentProxy,
    { lost, ms = requests.silenceMs, silence = proxy.silence }: { lost: number; ms?: number; silence?: () => void },
    start: () => Promise<unknown>[],
  ): Promise<void> {
    fakeTimers(['setTimeout', 'clearTimeout']);
    silence();
    const failed = start().map(failureOf);
    await proxy.lost(lost);
    await vi.advanceTimersByTimeAsync(ms);
    for (const error of await Promise.all(failed)) expect(mayPassLater(error), String(error)).toBe(true);
    vi.useRealTimers();
  }

  test('at the lock for migrations does not hinder a start on migrated tables', async () => {
    const url = await newUrl('postgres');
    await (await openStore(url)).close();
    const proxy = await silentProxy(url);
    onTestFinished(proxy.close);
    void proxy.silenceAt('pg_advisory_lock');
    const store = await opened(openStore(proxy.url));
    expect((await select(store)).rows).toHaveLength(1);
  });

  test('at the list of migrations fails a start, which does not ask again', async () => {
    const proxy = await silentProxy(await newUrl('postgres'));
    onTestFinished(proxy.close);
    const silenced = proxy.silenceAt('kysely_migration');
    fakeTimers(['setTimeout', 'clearTimeout']);
    const failed = failureOf(openStore(proxy.url));
    await silenced;
    await vi.advanceTimersByTimeAsync(migrations.silenceMs);
    expect(mayPassLater(await failed)).toBe(true);
    expect(proxy.opened()).toBe(1);
  });

  test('fails one query, which closes all idle connections; the next query opens a new one', async () => {
    const { proxy, store } = await behindProxy();
    await connected(store, requests.most);
    expect(proxy.open()).toBe(requests.most);
    const openedBefore = proxy.opened();
    await failInSilence(proxy, { lost: 1 }, () => [select(store)]);
    await until(() => expect(proxy.open()).toBe(0));
    await select(store);
    expect(proxy.opened()).toBe(openedBefore + 1);
  });

  test('fails the queries of all connections, and those that wait for a connection', async () => {
    const { proxy, store } = await behindProxy();
    await connected(store, requests.most);
    const selects = () => Array.from({ length: 2 * requests.most }, () => select(store));
    await failInSilence(proxy, { lost: requests.most }, selects);
    await connected(store, requests.most);
    expect(proxy.open()).toBe(requests.most);
  });

  test('ends a transaction without sending another statement on its connection', async () => {
    const { proxy, store } = await behindProxy();
    const begun = newLatch();
    const silenced = newLatch();
    const failing = store.transaction(async (tx) => {
      begun.open();
      await silenced.promise;
      await sql`select 1`.execute(tx);
    });
    await begun.promise;
    // a rollback with its own timeout would take as long again
    await failInSilence(proxy, { lost: 1 }, () => {
      silenced.open();
      return [failing];
    });
    await until(() => expect(proxy.open()).toBe(0));
  });

  test('releases the locks of a transaction', async () => {
    const url = await newUrl('postgres');
    const other = await opened(openStore(url));
    await insertWorldIfAbsent(other.db, sandbox(), NOON);
    const proxy = await silentProxy(`${url}&idle_in_transaction_session_timeout=300`);
    onTestFinished(proxy.close);
    const store = await opened(openStore(proxy.url));
    const held = newLatch();
    const over = newLatch();
    const failed = failureOf(
      store.transaction(async (tx) => {
        await holdWorld(tx, sandbox());
        held.open();
        await over.promise;
      }),
    );
    await held.promise;
    proxy.silence();
    // without the release, this would wait until the lock timeout
    await other.transaction((tx) => holdWorld(tx, sandbox()));
    over.open();
    await proxy.close();
    expect(mayPassLater(await failed)).toBe(true);
  });

  test('does not delay a connection attempt forever', async () => {
    const { proxy, store } = await behindProxy();
    const trouble = { lost: 1, ms: requests.connectMs, silence: proxy.silenceAll };
    await failInSilence(proxy, trouble, () => [select(store)]);
    proxy.speak();
    await select(store);
    expect(proxy.open()).toBe(1);
  });

  test('does not prevent a store from closing', async () => {
    const { proxy, store } = await behindProxy();
    await Promise.all([select(store), select(store.forWorkers), store.ping()]);
    expect(proxy.open()).toBe(3);
    proxy.silenceAll();
    await store.close();
    await until(() => expect(proxy.open()).toBe(0));
  });

  test('is detected within ten seconds', () => {
    for (const { connectMs, statementMs, silenceMs } of [requests, workers, health]) {
      expect(silenceMs).toBeLessThan(10_000);
      expect(connectMs).toBeLessThan(10_000);
      // PostgreSQL cancels a slow statement first, which keeps the connection
      expect(statementMs).toBeLessThan(silenceMs);
    }
  });
});

describe.runIf(engines.includes('postgres'))('PostgreSQL', () => {
  const store = storeForEach('postgres', CONNECTION_BOUNDS);

  test.each<[Exclude<Purpose, 'migrations' | 'health'>, () => Store]>([
    ['requests', () => store],
    ['sandboxes', () => store.forSandboxes],
    ['workers', () => store.forWorkers],
  ])('ends idle transactions and slow statements of %s', async (purpose, of) => {
    const setting = async (name: string) => {
      const found = sql<{ ms: number }>`select setting::int as ms from pg_settings where name = ${name}`;
      return (await found.execute(of().db)).rows[0]!.ms;
    };
    const { statementMs, lockMs } = CONNECTION_BOUNDS[purpose];
    expect(await setting('statement_timeout')).toBe(statementMs);
    expect(await setting('lock_timeout')).toBe(lockMs);
    expect(await setting('idle_in_transaction_session_timeout')).toBe(LONGEST_PAUSE_IN_TRANSACTION_MS);
  });

  test('serves workers and probes while requests use all of their connections', async () => {
    const { done, release } = await inUse(store);
    await select(store.forWorkers);
    await store.forWorkers.transaction((tx) => sql`select 1`.execute(tx));
    await store.ping();
    await store.assertMigrated();
    release();
    await done;
  });

  test('fails a query that waits too long for a connection, and serves a later one', async () => {
    const { done, release } = await inUse(store);
    fakeTimers(['setTimeout', 'clearTimeout']);
    const waiting = failureOf(select(store));
    await vi.advanceTimersByTimeAsync(requests.connectMs);
    vi.useRealTimers();
    expect(mayPassLater(await waiting)).toBe(true);
    release();
    await done;
    await select(store);
  });

  test('refuses a query when too many wait, and still runs the waiting ones', async () => {
    const { done, release } = await inUse(store);
    const waiting = Array.from({ length: MOST_WAITING_QUERIES }, () => select(store));
    const error = await failureOf(select(store));
    expect(mayPassLater(error)).toBe(true);
    expect(String(error)).toContain('Too many queries wait');
    release();
    await Promise.all([done, ...waiting]);
    await select(store);
  });
});
