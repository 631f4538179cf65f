import { sql, type Transaction } from 'kysely';
import { describe, expect, test } from 'vitest';
import { ACCOUNT_PATHS, PORTAL_PATHS } from '../../server/links.ts';
import { beginDeparture } from '../../server/store/departures.ts';
import { changeDeveloperPassword, deleteDeveloper } from '../../server/store/developers.ts';
import type { OpenStore } from '../../server/store/engine/open.ts';
import { changePasswordHash } from '../../server/store/passengers.ts';
import type { Database } from '../../server/store/schema.ts';
import { deleteSignIns } from '../../server/store/sessions.ts';
import { OF_DEVELOPERS, OF_PASSENGERS } from '../../server/store/sign-in-tables.ts';
import { newDeveloper } from '../portal/support.ts';
import { MAYA, pathOfRequest } from '../support/consent.ts';
import { engines, openTestStore } from '../support/database.ts';
import { newLatch } from '../support/latch.ts';
import { LIVE, startTestServer, type TestServer } from '../support/server.ts';
import { forAll } from '../support/started.ts';
import { until } from '../support/until.ts';
import { newVisitor } from '../support/visitor.ts';
import { storedMaya } from './support.ts';

type End = (
  tx: Transaction<Database>,
  account: { readonly id: string; readonly passwordHash: string },
) => Promise<unknown>;

const PASSENGER = {
  csrf: 'ridehail_csrf',
  tables: ['sessions', 'devices'],
  newAccount: async (server: TestServer) =>
    server.newPassenger(LIVE, { passwordHash: (await storedMaya(server)).passwordHash }),
} as const;
const DEVELOPER = {
  csrf: 'ridehail_developer_csrf',
  tables: ['developerSessions', 'developerDevices'],
  newAccount: newDeveloper,
} as const;

const changed: End = async (tx, { id, passwordHash: before }) => {
  await changePasswordHash(tx, { worldId: LIVE.id, id }, { before, after: 'another one' });
  await deleteSignIns(tx, OF_PASSENGERS, id);
};
const changedOfDeveloper: End = async (tx, { id }) => {
  await changeDeveloperPassword(tx, id, { after: 'another one' });
  await deleteSignIns(tx, OF_DEVELOPERS, id);
};
const deleted: End = (tx, passenger) => beginDeparture(tx, passenger, 0);
const deletedDeveloper: End = (tx, { id }) => deleteDeveloper(tx, id);

const CASES = [
  ['the account', 'the password changed', ACCOUNT_PATHS.overview, PASSENGER, changed],
  ['a consent', 'the password changed', pathOfRequest(), PASSENGER, changed],
  ['the portal', 'the password changed', PORTAL_PATHS.overview, DEVELOPER, changedOfDeveloper],
  ['the account', 'the account was deleted', ACCOUNT_PATHS.overview, PASSENGER, deleted],
  ['a consent', 'the account was deleted', pathOfRequest(), PASSENGER, deleted],
  ['the portal', 'the account was deleted', PORTAL_PATHS.overview, DEVELOPER, deletedDeveloper],
] as const;

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
  const endUnderWay = async (account: Parameters<End>[1], end: End): Promise<{ readonly committed: Promise<void> }> => {
    const begun = newLatch();
    const committed = store.transaction(async (tx) => {
      await end(tx, account);
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

  test.each(CASES)('at %s starts no session if %s meanwhile', async (_where, _what, path, kind, end) => {
    const account = await kind.newAccount(server);
    const visitor = newVisitor(server.baseUrl);
    await visitor.open(path);
    let committed = Promise.resolve();
    meanwhile = async () => {
      if (engine === 'postgres') ({ committed } = await endUnderWay(account, end));
      // SQLite allows one writer at a time
      else await store.transaction((tx) => end(tx, account));
    };
    const view = await visitor.submit({ email: account.email, password: MAYA.password });
    await committed;
    expect([view.status, view.text.includes('Wrong email or password. Try again.')]).toEqual([422, true]);
    expect([...visitor.cookies.keys()]).toEqual([kind.csrf]);
    for (const table of kind.tables) {
      const rows = await store.db.selectFrom(table).selectAll().where('accountId', '=', account.id).execute();
      expect(rows).toEqual([]);
    }
  });
});
