import { sql, type Transaction } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Passenger } from '../../server/domain/passenger.ts';
import { ACCOUNT_PATHS } from '../../server/links.ts';
import { beginDeparture } from '../../server/store/departures.ts';
import type { OpenStore } from '../../server/store/engine/open.ts';
import { changePasswordHash } from '../../server/store/passengers.ts';
import type { Database } from '../../server/store/schema.ts';
import { deleteSignIns } from '../../server/store/sessions.ts';
import { OF_PASSENGERS } from '../../server/store/sign-in-tables.ts';
import { MAYA, pathOfRequest } from '../support/consent.ts';
import { engines, openTestStore } from '../support/database.ts';
import { newLatch } from '../support/latch.ts';
import { LIVE, startTestServer } from '../support/server.ts';
import { forAll } from '../support/started.ts';
import { until } from '../support/until.ts';
import { newVisitor } from '../support/visitor.ts';
import { storedMaya } from './support.ts';

type End = (tx: Transaction<Database>, passenger: Passenger) => Promise<unknown>;

const ENDS: readonly [string, End][] = [
  [
    'the password changed',
    async (tx, passenger) => {
      await changePasswordHash(tx, passenger, { before: passenger.passwordHash, after: 'another one' });
      await deleteSignIns(tx, OF_PASSENGERS, passenger.id);
    },
  ],
  ['the account was deleted', (tx, passenger) => beginDeparture(tx, passenger, passenger.createdAt)],
];
const DOORS: readonly [string, string][] = [
  ['the account', ACCOUNT_PATHS.overview],
  ['a consent', pathOfRequest()],
];
const CASES = ENDS.flatMap(([what, end]) => DOORS.map(([where, path]) => [where, what, path, end] as const));

describe.each(engines)('a sign-in with the right password, on %s', (engine) => {
  let store: OpenStore;
  /** Runs before the next transaction. By then, the sign-in has checked the password. */
  let meanwhile: (() => Promise<void>) | null = null;
  const server = forAll(async () => {
    store = await openTestStore(engine);
    const transaction: OpenStore['transaction'] = async (work) => {
      const doing = meanwhile;
      meanwhile = null;
      await doing?.();
      return store.transaction(work);
    };
    const settings = { withPages: true, rateLimitMultiplier: 1000 };
    return startTestServer(engine, { ...settings, store: { ...store, transaction } });
  });

  /** Invalidates the password in a transaction that commits only when the sign-in waits for it. */
  const endUnderWay = async (passenger: Passenger, end: End): Promise<{ readonly committed: Promise<void> }> => {
    const begun = newLatch();
    const committed = store.transaction(async (tx) => {
      await end(tx, passenger);
      const own = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
      begun.open();
      await until(async () => {
        const { rows } = await sql`
          select 1 from pg_stat_activity where ${own.rows[0]!.pid}::integer = any(pg_blocking_pids(pid))`.execute(
          store.db,
        );
        expect(rows).toHaveLength(1);
      });
    });
    await begun.promise;
    return { committed };
  };

  test.each(CASES)('at %s starts no session if %s meanwhile', async (_where, _what, path, end) => {
    const { passwordHash } = await storedMaya(server);
    const passenger = await server.newPassenger(LIVE, { passwordHash });
    const visitor = newVisitor(server.baseUrl);
    await visitor.open(path);
    let committed = Promise.resolve();
    meanwhile = async () => {
      if (engine === 'postgres') ({ committed } = await endUnderWay(passenger, end));
      // SQLite allows one writer at a time
      else await store.transaction((tx) => end(tx, passenger));
    };
    const view = await visitor.submit({ email: passenger.email, password: MAYA.password });
    await committed;
    expect([view.status, view.text.includes('Wrong email or password. Try again.')]).toEqual([422, true]);
    expect([...visitor.cookies.keys()]).toEqual(['ridehail_csrf']);
    for (const table of ['sessions', 'devices'] as const) {
      const rows = await store.db.selectFrom(table).selectAll().where('accountId', '=', passenger.id).execute();
      expect(rows).toEqual([]);
    }
  });
});
