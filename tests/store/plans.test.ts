import { type Kysely, sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { LIVE_WORLD } from '../../server/domain/worlds/live.ts';
import { allowedApplications, endAccess } from '../../server/store/consents.ts';
import { forgetDecisions } from '../../server/store/decisions.ts';
import { deleteExpiredDevices, insertDevice } from '../../server/store/devices.ts';
import { deleteOldEvents, OLDEST_EVENT } from '../../server/store/events.ts';
import { deleteExpiredPhoneCodes } from '../../server/store/phone-codes.ts';
import { deleteOldRides, finishedRidesOf } from '../../server/store/rides.ts';
import type { Database } from '../../server/store/schema.ts';
import { deleteExpiredSessions, deleteSignIns, sessionsOf } from '../../server/store/sessions.ts';
import { deleteExpired } from '../../server/store/tokens.ts';
import { endWorld } from '../../server/store/world-ends.ts';
import { insertWorldIfAbsent } from '../../server/store/worlds.ts';
import { engines } from '../support/database.ts';
import { plansOf } from '../support/plans-of.ts';
import { storeForEach } from '../support/started.ts';
import { NOON, sandbox } from './samples.ts';

type Tx = Parameters<typeof endAccess>[0];

const END = { end: 'reset', isBegun: false, realNow: NOON, most: 100 } as const;

/** What the sweep and the pages of an account do, and an index that it needs. */
const WORK: [index: string, what: string, work: (tx: Tx) => Promise<unknown>][] = [
  ['live_rides_by_finish', 'old rides', (tx) => deleteOldRides(tx, NOON)],
  ['events_by_age', 'old events', (tx) => deleteOldEvents(tx, NOON, OLDEST_EVENT)],
  ['access_tokens_by_expiry', 'expired credentials', (tx) => deleteExpired(tx, NOON, NOON)],
  ['authorization_codes_by_expiry', 'expired credentials', (tx) => deleteExpired(tx, NOON, NOON)],
  ['refresh_tokens_by_revocation', 'expired credentials', (tx) => deleteExpired(tx, NOON, NOON)],
  ['refresh_tokens_by_last_use', 'expired credentials', (tx) => deleteExpired(tx, NOON, NOON)],
  ['sessions_by_expiry', 'expired sessions', (tx) => deleteExpiredSessions(tx, NOON)],
  ['devices_by_expiry', 'expired browsers', (tx) => deleteExpiredDevices(tx, NOON)],
  ['phone_codes_by_expiry', 'expired codes of phones', (tx) => deleteExpiredPhoneCodes(tx, NOON)],
  ['decisions_by_age', 'old decisions', (tx) => forgetDecisions(tx, NOON)],
  ['passengers_altered', 'the reset of a sandbox', (tx) => endWorld(tx, 'sandbox', END)],
  [
    'devices_of_passenger',
    'a new browser',
    (tx) => insertDevice(tx, { tokenHash: 'new', passengerId: 'ada', signedInAt: NOON, expiresAt: NOON }),
  ],
  ['devices_of_passenger', 'signing out everywhere', (tx) => deleteSignIns(tx, 'ada', 'this')],
  ['sessions_of_passenger', 'signing out everywhere', (tx) => deleteSignIns(tx, 'ada', 'this')],
  ['sessions_of_passenger', 'a list of sessions', (tx) => sessionsOf(tx, 'ada', { at: NOON, limit: 9 })],
  ['codes_of_passenger', 'the end of all access', (tx) => endAccess(tx, 'ada', NOON)],
  ['passengers_by_id', 'the end of all access', (tx) => endAccess(tx, 'ada', NOON)],
  ['passengers_by_id', 'the list of what a passenger allowed', (tx) => allowed(tx)],
  ['codes_of_passenger', 'the list of what a passenger allowed', (tx) => allowed(tx)],
  ['refresh_tokens_of_passenger', 'the list of what a passenger allowed', (tx) => allowed(tx)],
  ['access_tokens_of_passenger', 'the list of what a passenger allowed', (tx) => allowed(tx)],
  ['rides_of_passenger', 'the rides of who left', (tx) => finishedRidesOf(tx, LIVE_WORLD.id, 'ada', 9)],
];

const allowed = (tx: Tx) => allowedApplications(tx, 'ada', { at: NOON, endedIfLastUsedBy: NOON });

const TABLE_SCAN = /\b(seq )?scan (on )?(rides|events|\w+_tokens|\w+_codes|sessions|devices|passengers|decisions)\b/i;

/** The same number of rows for many passengers of many worlds, none of which the work is about. */
const ROWS: Readonly<Record<string, string>> = {
  passengers: `(world_id, id, email, password_hash, first_name, last_name, phone_verified, account_disabled, driver_mode,
    business_profile, has_taken_a_ride, created_at) select 'w' || n % 40, 'p' || n, 'e' || n, '', '', '', 0, 0, 0, 0, 0, n`,
  sessions: `(token_hash, passenger_id, signed_in_at, expires_at) select 't' || n, 'p' || n, n, ${NOON} + n`,
  devices: `(token_hash, passenger_id, signed_in_at, expires_at) select 't' || n, 'p' || n, n, ${NOON} + n`,
  decisions: `(session_hash, request_hash, decided_at) select 't' || n, 'r', ${NOON} + n`,
  authorization_codes: `(code_hash, application_id, passenger_id, scopes, issued_at, expires_at)
    select 'c' || n, 'app', 'p' || n, '', n, ${NOON} + n`,
  access_tokens: `(token_hash, application_id, passenger_id, world_id, scopes, issued_at, expires_at)
    select 't' || n, 'app', 'p' || n, 'w' || n % 40, '', n, ${NOON} + n`,
  refresh_tokens: `(token_hash, application_id, passenger_id, world_id, scopes, issued_at, last_used_at, revoked_at)
    select 't' || n, 'app', 'p' || n, 'w' || n % 40, '', n, ${NOON} + n, ${NOON} + n`,
  phone_codes: `(world_id, passenger_id, phone_number, code_hash, tries, expires_at)
    select 'w' || n % 40, 'p' || n, '', '', 0, ${NOON} + n`,
  rides: `(world_id, id, version, application_id, passenger_id, status, active, ride_type, requested_at, finished_at, document)
    select 'live', 'r' || n, 1, 'app', 'p' || n, 'canceled', 0, 'svc', n, ${NOON} + n, '{}'`,
  events: `(event_id, world_id, ride_id, application_id, type, occurred_at, environment, body, created_at)
    select 'e' || n, 'live', 'r' || n, 'app', '', n, '', '', ${NOON} + n`,
};

describe.each(engines)('on %s', (engine) => {
  const store = storeForEach(engine);
  beforeEach(() => insertWorldIfAbsent(store.db, sandbox(), NOON));

  const planned = async (db: Kysely<Database>, work: (tx: Tx) => Promise<unknown>) =>
    (await plansOf({ db, engine }, (watched) => work(watched as Tx), { analyzed: false })).join('\n');
  /** PostgreSQL reads a small table from end to end, and plans by what its statistics say. */
  const plannedForMany = (work: (tx: Tx) => Promise<unknown>) =>
    store.transaction(async (tx) => {
      for (const [table, rows] of Object.entries(ROWS)) {
        await sql`insert into ${sql.table(table)} ${sql.raw(rows)} from generate_series(1, 2000) as n`.execute(tx);
      }
      await sql`analyze`.execute(tx);
      return planned(tx, work);
    });

  test.each(WORK)('%s finds what is needed for %s, and no table is read from end to end', async (index, _, work) => {
    const plans = await (engine === 'postgres' ? plannedForMany(work) : planned(store.db, work));
    expect(plans).toContain(index);
    expect(plans).not.toMatch(TABLE_SCAN);
  });
});
