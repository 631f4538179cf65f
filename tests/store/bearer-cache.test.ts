import { sql } from 'kysely';
import Libsql from 'libsql';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SECOND_MS } from '../../server/domain/time.ts';
import { deleteApplication, deleteSomeLeftBy } from '../../server/store/application-ends.ts';
import { setWebhook } from '../../server/store/application-keys.ts';
import { insertApplicationIfAbsent, setSettings } from '../../server/store/applications.ts';
import { LONGEST_KEPT_MS, newBearerCache } from '../../server/store/bearer-cache.ts';
import { findBearer } from '../../server/store/bearers.ts';
import { saveClock } from '../../server/store/clocks.ts';
import { endAccess } from '../../server/store/consents.ts';
import { beginDeparture, endDeparture } from '../../server/store/departures.ts';
import { openStore } from '../../server/store/engine/open.ts';
import {
  changePasswordHash,
  insertPassengerIfAbsent,
  markRideTaken,
  setPaymentMethod,
  updatePassenger,
} from '../../server/store/passengers.ts';
import { savePhoneCode, verifyPhone } from '../../server/store/phone-codes.ts';
import { revokeAccessToken, revokeByCode, revokeRefreshToken } from '../../server/store/revoke-tokens.ts';
import type { Queries } from '../../server/store/schema.ts';
import { deleteExpired, insertAccessToken, insertRefreshToken } from '../../server/store/tokens.ts';
import { recordCall } from '../../server/store/world-calls.ts';
import { endWorld } from '../../server/store/world-ends.ts';
import { changeSettings, insertWorldIfAbsent, saveSettings, takeNumber } from '../../server/store/worlds.ts';
import { engines, openTestStore } from '../support/database.ts';
import { accessToken, application, NOON, passenger, refreshToken, sandbox } from './samples.ts';

type Tx = Parameters<typeof endAccess>[0];

const LATER = NOON + 1;
const LIVE = { id: 'live', kind: 'live', applicationId: null } as const;
const ADA = { id: 'ada', passwordHash: passenger().passwordHash };
const PHONE = { passengerId: 'ada', phoneNumber: '+14155550123', codeHash: 'phone', expiresAt: LATER };
const RESET = { end: 'reset', isBegun: false, realNow: LATER, most: 100 } as const;
const DELETION = { ...RESET, end: 'deletion' } as const;
const FROZEN = { realAnchor: NOON, worldAnchor: NOON, running: false };
const HOOK = { url: 'https://app.example/', verificationToken: 'new' };
const LEFT = { worldId: 'live', passengerId: 'ada', leftAt: NOON };
const REFRESH = { ...refreshToken(), isFirst: true };

/** All tokens: one of Ada in the live world, and three to the sandbox, the first two of Ada. */
const ALL = ['live', 'first', 'renewed', 'client'];
const OF_ADA = ALL.slice(0, 3);
const IN_SANDBOX = ALL.slice(1);
const HERS_THERE = ['first', 'renewed'];

const leave = async (tx: Tx) => {
  await tx.insertInto('departures').values(LEFT).execute();
  await endDeparture(tx, LEFT);
};
const leaveNothing = async (tx: Tx) => {
  while (await deleteSomeLeftBy(tx, 'app'));
};
const verify = async (tx: Tx) => {
  await savePhoneCode(tx, PHONE);
  await verifyPhone(tx, PHONE);
};
const updateInStatement = (tx: Tx) =>
  tx
    .with('one', (db) => db.selectFrom('accessTokens').select('tokenHash').where('tokenHash', '=', 'live'))
    .updateTable('issuedTokens')
    .set({ revokedAt: LATER })
    .where('tokenHash', 'in', (db) => db.selectFrom('one').select('one.tokenHash'))
    .execute();

/** Each way in which the store changes a token, an application, a world or a passenger, and the affected tokens. */
const CHANGES: [what: string, tokens: readonly string[], change: (tx: Tx) => Promise<unknown>][] = [
  ['a revoked token', ['live'], (tx) => revokeAccessToken(tx, accessToken({ tokenHash: 'live' }), 'live', LATER)],
  ['a revoked refresh token', ['renewed'], (tx) => revokeRefreshToken(tx, REFRESH, 'sandbox', LATER)],
  ['a code that was used twice', HERS_THERE, (tx) => revokeByCode(tx, 'code', LATER)],
  ['the end of all access', OF_ADA, (tx) => endAccess(tx, 'ada', LATER)],
  ['the end of the access of one application', OF_ADA, (tx) => endAccess(tx, 'ada', LATER, 'app')],
  ['an account that was deleted', OF_ADA, (tx) => beginDeparture(tx, ADA, LATER)],
  ['a passenger who was deleted', ['live'], leave],
  ['expired tokens that were deleted', ALL, (tx) => deleteExpired(tx, Number.MAX_SAFE_INTEGER, NOON)],
  ['an application that was deleted', ALL, (tx) => deleteApplication(tx, 'app', LATER)],
  ['the remaining data of a deleted application', ALL, leaveNothing],
  ['another webhook URL', ALL, (tx) => setWebhook(tx, 'app', 'sandbox', HOOK, LATER)],
  ['another clock', IN_SANDBOX, (tx) => saveClock(tx, 'sandbox', FROZEN)],
  ['settings', IN_SANDBOX, (tx) => changeSettings(tx, sandbox(), (all) => ({ ...all, limits: false }))],
  ['autoAdvance', IN_SANDBOX, (tx) => saveSettings(tx, sandbox({ autoAdvance: true }))],
  ['a reset', IN_SANDBOX, (tx) => endWorld(tx, 'sandbox', RESET)],
  ['a deletion of a sandbox', IN_SANDBOX, (tx) => endWorld(tx, 'sandbox', DELETION)],
  ['a deletion that has only begun', IN_SANDBOX, (tx) => endWorld(tx, 'sandbox', { ...DELETION, most: 1 })],
  [
    'a call that was recorded',
    IN_SANDBOX,
    (tx) => recordCall(tx, { worldId: 'sandbox', passengerId: 'ada' }, LATER, 1),
  ],
  ['traits', HERS_THERE, (tx) => updatePassenger(tx, 'sandbox', 'ada', { accountDisabled: true })],
  ['traits of a live passenger', ['live'], (tx) => updatePassenger(tx, 'live', 'ada', { driverMode: true })],
  ['a password', ['live'], (tx) => changePasswordHash(tx, passenger(), { before: ADA.passwordHash, after: 'new' })],
  ['a payment method', ['live'], (tx) => setPaymentMethod(tx, 'ada', null)],
  ['a phone number', ['live'], (tx) => savePhoneCode(tx, PHONE)],
  ['a phone number that was verified', ['live'], verify],
  ['a first ride', ['live'], (tx) => markRideTaken(tx, 'live', 'ada')],
  ['a statement in SQL', OF_ADA, (tx) => sql`update passengers set rating = '4.1'`.execute(tx)],
  ['a statement in a statement', ['live'], updateInStatement],
];

/** Writes that calls make all the time, and others that do not change any bearer. */
const OTHER_WRITES: [what: string, write: (tx: Tx) => Promise<unknown>][] = [
  ['a new token', (tx) => insertAccessToken(tx, accessToken({ tokenHash: 'new' }))],
  ['a new passenger', (tx) => insertPassengerIfAbsent(tx, passenger({ id: 'bob', email: 'bob@example.com' }))],
  ['the next number of a sandbox', (tx) => takeNumber(tx, 'sandbox')],
  ['another sandbox', (tx) => insertWorldIfAbsent(tx, sandbox({ id: 'other' }), NOON)],
  ['the clock of another sandbox', (tx) => saveClock(tx, 'other', FROZEN)],
  ['the end of the tokens of another code', (tx) => revokeByCode(tx, 'other', NOON)],
  ['another passenger', (tx) => setPaymentMethod(tx, 'bob', null)],
  ['another application', (tx) => setSettings(tx, 'other', { name: 'Other' })],
  ['a lock', (tx) => tx.selectFrom('worlds').select('id').execute()],
];

describe.each(engines)('on %s', (engine) => {
  let store: Awaited<ReturnType<typeof openTestStore>>;
  let now: number;
  beforeEach(async () => {
    now = 0;
    store = await openTestStore(engine, undefined, () => now);
    const { db } = store;
    await insertApplicationIfAbsent(db, application());
    await insertWorldIfAbsent(db, sandbox(LIVE), NOON);
    await insertWorldIfAbsent(db, sandbox(), NOON);
    await insertPassengerIfAbsent(db, passenger());
    await insertPassengerIfAbsent(db, passenger({ worldId: 'sandbox' }));
    await insertRefreshToken(db, refreshToken({ worldId: 'sandbox', codeHash: 'code' }));
    const worldId = 'sandbox';
    await insertAccessToken(db, accessToken({ tokenHash: 'live' }));
    await insertAccessToken(db, accessToken({ worldId, tokenHash: 'first', codeHash: 'code' }));
    await insertAccessToken(db, accessToken({ worldId, tokenHash: 'renewed', refreshTokenHash: 'refresh' }));
    await insertAccessToken(db, accessToken({ worldId, tokenHash: 'client', passengerId: null }));
  });

  afterEach(() => store.close());

  const each = <T>(find: (db: Queries, tokenHash: string) => Promise<T>) =>
    Promise.all(ALL.map((tokenHash) => find(store.db, tokenHash)));
  const kept = () => each(store.bearers.find);
  const stored = () => each(findBearer);

  test('a bearer is read from the database once', async () => {
    const first = await kept();
    expect(first).toEqual(await stored());
    const again = await kept();
    expect(again.map((bearer, i) => bearer === first[i])).toEqual(ALL.map(() => true));
  });

  test.each(CHANGES)('the cache sees %s immediately', async (_, tokens, change) => {
    const before = await kept();
    await store.transaction(change);
    const after = await stored();
    expect(ALL.filter((_, i) => JSON.stringify(after[i]) !== JSON.stringify(before[i]))).toEqual(tokens);
    expect(await kept()).toEqual(after);
  });

  test.each(CHANGES)('the cache sees %s immediately, even outside a transaction', async (_, _tokens, change) => {
    await kept();
    await change(store.db as Tx);
    expect(await kept()).toEqual(await stored());
  });

  test.each(OTHER_WRITES)('%s keeps the cached bearers', async (_, write) => {
    const before = await kept();
    await store.transaction(write);
    const after = await kept();
    expect(after.map((bearer, i) => bearer === before[i])).toEqual(ALL.map(() => true));
  });

  test('a token that was not found is found once it is issued', async () => {
    const { find } = store.bearers;
    expect(await find(store.db, 'new')).toBeUndefined();
    await insertAccessToken(store.db, accessToken({ tokenHash: 'new' }));
    expect(await find(store.db, 'new')).toEqual(await findBearer(store.db, 'new'));
  });

  test('a change that is rolled back does not affect the cache', async () => {
    const before = await kept();
    const failed = store.transaction(async (tx) => {
      await saveClock(tx, 'sandbox', FROZEN);
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(await kept()).toEqual(before);
  });

  test('a bearer that is read during a change is not cached', async () => {
    const read = store.bearers.find(store.db, 'client');
    const write = store.transaction((tx) => saveClock(tx, 'sandbox', FROZEN));
    await Promise.all([read, write]);
    expect(await kept()).toEqual(await stored());
  });

  /** Changes the database as another process would. */
  const elsewhere = async (statement: string) => {
    if (engine === 'postgres') {
      const other = await openStore(store.url);
      await sql.raw(statement).execute(other.db);
      return other.close();
    }
    const other = new Libsql(store.url.slice('file:'.length));
    other.exec(statement);
    other.close();
  };

  test.each([
    "update issued_tokens set revoked_at = 1 where token_hash = 'live'",
    "delete from applications where id = 'app'",
    "update worlds set clock_running = 0 where id = 'sandbox'",
    "update passengers set phone_verified = 0 where id = 'ada'",
  ])('the cache sees changes by another process within a second: %s', async (statement) => {
    const before = await kept();
    await elsewhere(statement);
    expect(await stored()).not.toEqual(before);
    now += SECOND_MS;
    expect(await kept()).toEqual(await stored());
  });

  test('a bearer is cached for a second after it was read, not after its last use', async () => {
    await kept();
    await elsewhere('update worlds set clock_running = 0');
    now += SECOND_MS / 2;
    await kept();
    now += SECOND_MS / 2;
    expect(await kept()).toEqual(await stored());
  });

  test.runIf(engine === 'sqlite')('bearers stay cached as long as no other process changes the file', async () => {
    const [live] = await kept();
    now += 100 * LONGEST_KEPT_MS;
    const { find } = store.bearers;
    expect(await find(store.db, 'live')).toBe(live);
  });

  test('a full cache drops the least recently used bearer', async () => {
    const { find } = newBearerCache({ now: () => now, most: 2 });
    const live = await find(store.db, 'live');
    await find(store.db, 'first');
    expect(await find(store.db, 'live')).toBe(live);
    await find(store.db, 'client');
    await find(store.db, 'renewed');
    expect(await find(store.db, 'live')).not.toBe(live);
  });

  test('no other table cascades to the rows of cached bearers', async () => {
    const found = await (engine === 'sqlite' ? SQLITES_CASCADES : POSTGRES_CASCADES).execute(store.db);
    const cascades = found.rows.map(({ parent, child }) => `${parent} ${child}`);
    expect(cascades.sort()).toEqual(['access_grants issued_tokens', 'passengers access_grants']);
  });

  test('a column whose changes do not affect the cache is not part of a bearer', async () => {
    const [bearer] = await each((db, hash) => findBearer(db, hash));
    const unread =
      /"(worldsMade|webhookFailingSince|idCounter|clockUnsettled|clockSettledTo|ridesUnsettledAfter|altered)"/;
    expect(JSON.stringify(bearer)).not.toMatch(unread);
  });
});

type Cascade = { parent: string; child: string };

const CHILDREN = sql`('access_grants', 'issued_tokens', 'applications', 'worlds', 'passengers')`;

const SQLITES_CASCADES = sql<Cascade>`
  select keys."table" as parent, child.name as child
  from sqlite_master as child, pragma_foreign_key_list(child.name) as keys
  where child.type = 'table' and child.name in ${CHILDREN} group by parent, child`;

const POSTGRES_CASCADES = sql<Cascade>`
  select parent.relname as parent, child.relname as child
  from pg_constraint join pg_class as child on child.oid = conrelid join pg_class as parent on parent.oid = confrelid
  where contype = 'f' and connamespace = current_schema()::regnamespace and child.relname in ${CHILDREN}`;
