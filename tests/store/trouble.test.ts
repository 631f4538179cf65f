import { sql } from 'kysely';
import Libsql from 'libsql';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { findApplication, insertApplicationIfAbsent } from '../../server/store/applications.ts';
import { claimDueTimers } from '../../server/store/due-timers.ts';
import { CONNECTION_BOUNDS } from '../../server/store/engine/connections.ts';
import { openStore, type Store } from '../../server/store/engine/open.ts';
import { mayPassLater, StaleVersion } from '../../server/store/transaction.ts';
import { engines, openTestStore } from '../support/database.ts';
import { newUrl, opened, storeForEach } from '../support/started.ts';
import { failureOf } from './meeting.ts';
import { application } from './samples.ts';

/** An error like the ones from the database clients. */
const failed = (code: string | undefined, message = 'failed') => Object.assign(new Error(message), { code });

const MAY_PASS = [
  ...[
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'EAI_AGAIN',
    '08006',
    '25006',
    '25P03',
    '28000',
    '28P01',
    '40001',
    '40P01',
  ],
  ...['53100', '53200', '53300', '55P03', '57014', '57P01', '57P03', '58030', 'SQLITE_BUSY', 'SQLITE_BUSY_SNAPSHOT'],
  ...['SQLITE_CANTOPEN', 'SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_NOMEM', 'SQLITE_READONLY'],
];
const MESSAGES = [
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error and is not queryable',
];
const FAILS_AGAIN = [
  ...['22021', '23502', '23505', '25P02', '42501', '42601', '42P01', '57P04', 'XX001', 'SQLITE_CONSTRAINT_UNIQUE'],
  ...['SQLITE_CORRUPT', 'SQLITE_ERROR', 'SQLITE_NOTADB', 'ERR_INVALID_ARG_TYPE'],
];

test.each<[unknown, boolean]>([
  ...MAY_PASS.map((code): [unknown, boolean] => [failed(code, code), true]),
  ...MESSAGES.map((message): [unknown, boolean] => [failed(undefined, message), true]),
  ...FAILS_AGAIN.map((code): [unknown, boolean] => [failed(code, code), false]),
  ...[new TypeError('x is undefined'), 'ECONNREFUSED', null].map((error): [unknown, boolean] => [error, false]),
])('after %s, the same call may succeed later: %s', (error, mayPass) => {
  expect(mayPassLater(error)).toBe(mayPass);
});

test.each(engines)(
  'a transaction on %s that always loses its race runs six times, and the same call may succeed later',
  async (engine) => {
    const store = await opened(openTestStore(engine));
    for (const lost of [new StaleVersion('again'), failed('40001', 'could not serialize access')]) {
      const work = vi.fn(() => Promise.reject(lost));
      const error = await failureOf(store.transaction(work));
      expect(error).toBe(lost);
      expect(work).toHaveBeenCalledTimes(6);
      expect(mayPassLater(error)).toBe(true);
    }
  },
);

describe('a file', () => {
  let url: string;
  let store: Store;
  beforeEach(async () => {
    url = await newUrl('sqlite');
    store = await opened(openStore(url));
  });

  const writes: [string, () => Promise<unknown>][] = [
    ['in a transaction', () => store.transaction((tx) => insertApplicationIfAbsent(tx, application()))],
    ['by itself', () => insertApplicationIfAbsent(store.db, application())],
    ['by itself, with a result', () => claimDueTimers(store.db, { worldId: 'live', realNow: 0, leaseMs: 1, limit: 1 })],
  ];

  test.each(writes)(
    'that another process writes to accepts a write %s as soon as the other one ends',
    async (_, write) => {
      const other = new Libsql(url.slice('file:'.length));
      other.exec('begin immediate');
      const error = await failureOf(write());
      expect(error).toMatchObject({ code: 'SQLITE_BUSY' });
      expect(mayPassLater(error)).toBe(true);
      other.exec('rollback');
      other.close();
      await write();
      expect(await store.transaction((tx) => insertApplicationIfAbsent(tx, application({ id: 'next' })))).toBe(true);
    },
  );

  test('without free space refuses a whole transaction, and works again when there is space', async () => {
    const { rows } = await sql<{ pageCount: number }>`pragma page_count`.execute(store.db);
    const roomFor = (pages: number) => sql.raw(`pragma max_page_count = ${pages}`).execute(store.db);
    await roomFor(rows[0]!.pageCount + 2);
    const error = await failureOf(
      store.transaction(async (tx) => {
        await insertApplicationIfAbsent(tx, application());
        for (let i = 0; i < 100; i++) {
          await insertApplicationIfAbsent(tx, application({ id: `${i}`, name: 'x'.repeat(4096) }));
        }
      }),
    );
    expect(error).toMatchObject({ code: 'SQLITE_FULL' });
    expect(mayPassLater(error)).toBe(true);
    expect(await findApplication(store.db, 'app')).toBeUndefined();
    await roomFor(10_000);
    expect(await store.transaction((tx) => insertApplicationIfAbsent(tx, application()))).toBe(true);
  });

  test('whose transaction was rolled back by the database reports the original error', async () => {
    const work = store.transaction(async (tx) => {
      await sql`rollback`.execute(tx);
      throw failed('SQLITE_FULL');
    });
    expect(await failureOf(work)).toMatchObject({ code: 'SQLITE_FULL' });
  });
});

describe.runIf(engines.includes('postgres'))('PostgreSQL', () => {
  const store = storeForEach('postgres', CONNECTION_BOUNDS);

  test.each([
    ['cancels a statement that takes too long', '57014', ["set local statement_timeout = '1ms'", 'select pg_sleep(5)']],
    [
      'gives up waiting for a lock',
      '55P03',
      ["set local lock_timeout = '1ms'", 'lock table applications in exclusive mode'],
    ],
    ['cannot write on a standby', '25006', ['set transaction read only', 'delete from timers']],
    ['shuts down', undefined, ['select pg_terminate_backend(pg_backend_pid())', 'select 1']],
  ])('%s: the same call may succeed later', async (_, code, statements) => {
    const held = store.transaction(async (tx) => {
      await sql`lock table applications in share mode`.execute(tx);
      const error = await failureOf(
        store.transaction(async (other) => {
          for (const statement of statements) await sql.raw(statement).execute(other);
        }),
      );
      if (code !== undefined) expect(error).toMatchObject({ code });
      expect(mayPassLater(error), String(error)).toBe(true);
    });
    await held;
    expect(await store.transaction((tx) => insertApplicationIfAbsent(tx, application()))).toBe(true);
  });

  test('that accepts no writes fails a ping', async () => {
    const url = new URL(await newUrl('postgres'));
    await (await openStore(url.href)).close();
    const options = `-c search_path=${url.searchParams.get('schema')} -c default_transaction_read_only=on`;
    url.searchParams.set('options', options);
    const standby = await opened(openStore(url.href));
    const error = await failureOf(standby.ping());
    expect(error).toMatchObject({ code: '25006' });
    expect(mayPassLater(error)).toBe(true);
  });
});
