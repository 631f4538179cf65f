import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { newDatabase } from '../../scripts/support/temporary-database.ts';
import { LIVE_WORLD } from '../../server/domain/worlds/live.ts';
import { deleteSomeLeftBy } from '../../server/store/application-ends.ts';
import { allowedApplications, endAccess } from '../../server/store/consents.ts';
import { forgetDecisions } from '../../server/store/decisions.ts';
import { DELETE_EXPIRED } from '../../server/store/delete-some.ts';
import { waitingLanes } from '../../server/store/deliveries/lanes.ts';
import { deleteDeveloperLinkOf } from '../../server/store/developer-links.ts';
import { insertDevice } from '../../server/store/devices.ts';
import { claimDueTimers, dueSandboxes, nextRealDue } from '../../server/store/due-timers.ts';
import { type OpenStore, openStore } from '../../server/store/engine/open.ts';
import { listEvents } from '../../server/store/event-list.ts';
import { deleteOldEvents, OLDEST_EVENT } from '../../server/store/events.ts';
import { queueDepths } from '../../server/store/queue-depths.ts';
import { deleteOldRides, finishedRidesOf } from '../../server/store/rides.ts';
import { deleteSignIns, sessionsOf } from '../../server/store/sessions.ts';
import { OF_DEVELOPERS, OF_PASSENGERS, type SignInTables } from '../../server/store/sign-in-tables.ts';
import { deleteExpired } from '../../server/store/tokens.ts';
import { endWorld } from '../../server/store/world-ends.ts';
import { insertWorldIfAbsent } from '../../server/store/worlds.ts';
import { engines } from '../support/database.ts';
import { analyzeTables, plansOf } from '../support/plans-of.ts';
import { forAll, storeForEach } from '../support/started.ts';
import { NOON, sandbox } from './samples.ts';

type Tx = Parameters<typeof endAccess>[0];

const LANES = { realNow: NOON, until: NOON, after: '', mostSandboxes: 100 };
const CLAIM = { realNow: NOON, leaseMs: 1000, limit: 4 };
const SANDBOXES = { realNow: NOON, after: '', mostSandboxes: 9 };
const OF_SANDBOX = { worldId: 'w1', applicationId: 'app' };
const PLACE = { occurredAt: NOON, eventId: 'e200' };
const END = { end: 'reset', isBegun: false, realNow: NOON, most: 100 } as const;

/** Queries of the sweep, the account pages and the metrics, each with an index that it needs. */
const WORK: [index: string, what: string, work: (tx: Tx) => Promise<unknown>][] = [
  ['live_rides_by_finish', 'old rides', (tx) => deleteOldRides(tx, NOON)],
  ['events_by_age', 'old events', (tx) => deleteOldEvents(tx, NOON, OLDEST_EVENT)],
  ['access_tokens_by_expiry', 'expired credentials', (tx) => deleteExpired(tx, NOON, NOON)],
  ['authorization_codes_by_expiry', 'expired credentials', (tx) => deleteExpired(tx, NOON, NOON)],
  ['refresh_tokens_by_revocation', 'expired credentials', (tx) => deleteExpired(tx, NOON, NOON)],
  ['refresh_tokens_by_last_use', 'expired credentials', (tx) => deleteExpired(tx, NOON, NOON)],
  ['developer_links_by_expiry', 'expired links', (tx) => DELETE_EXPIRED.developerLinks(tx, NOON)],
  ['developer_links_of_email', 'the end of the link of an email', (tx) => deleteDeveloperLinkOf(tx, 'ada@example.com')],
  ['phone_codes_by_expiry', 'expired codes of phones', (tx) => DELETE_EXPIRED.phoneCodes(tx, NOON)],
  ['decisions_by_age', 'old decisions', (tx) => forgetDecisions(tx, NOON)],
  ['passengers_altered', 'the reset of a sandbox', (tx) => endWorld(tx, 'sandbox', END)],
  ...signIns(OF_PASSENGERS, ['sessions', 'devices'], 'passenger'),
  ...signIns(OF_DEVELOPERS, ['developer_sessions', 'developer_devices'], 'account'),
  ['codes_of_passenger', 'the end of all access', (tx) => endAccess(tx, 'ada', NOON)],
  ['passengers_by_id', 'the end of all access', (tx) => endAccess(tx, 'ada', NOON)],
  ['passengers_by_id', 'the list of what a passenger allowed', (tx) => allowed(tx)],
  ['codes_of_passenger', 'the list of what a passenger allowed', (tx) => allowed(tx)],
  ['refresh_tokens_of_passenger', 'the list of what a passenger allowed', (tx) => allowed(tx)],
  ['access_tokens_of_passenger', 'the list of what a passenger allowed', (tx) => allowed(tx)],
  ['rides_of_passenger', 'the rides of a passenger who left', (tx) => finishedRidesOf(tx, LIVE_WORLD.id, 'ada', 9)],
  // the index of the passenger, because one application may have millions
  ...['codes', 'refresh_tokens', 'access_tokens'].map((of): (typeof WORK)[number] => [
    `${of}_of_passenger`,
    'the end of the access of one application',
    (tx) => endAccess(tx, 'ada', NOON, 'app'),
  ]),
  ...['timers_due_live', 'timers_due_in_sandboxes', 'deliveries_due_live', 'deliveries_due_in_sandbox'].map(
    (index): (typeof WORK)[number] => [index, 'the depths of queues', (tx) => queueDepths(tx, NOON)],
  ),
  ...['deliveries_due_live', 'deliveries_due_in_sandbox'].map((index): (typeof WORK)[number] => [
    index,
    'the waiting lanes',
    (tx) => waitingLanes(tx, LANES),
  ]),
  ['timers_due_in_sandbox', 'the due timers of a sandbox', (tx) => claimDueTimers(tx, { worldId: 'w1', ...CLAIM })],
  ['timers_due_live', 'the due timers of live rides', (tx) => claimDueTimers(tx, { worldId: 'live', ...CLAIM })],
  ['timers_due_in_sandbox', 'sandboxes with due timers', (tx) => dueSandboxes(tx, SANDBOXES)],
  ['timers_due_in_sandboxes', 'the next timer of a sandbox', (tx) => nextRealDue(tx, 'sandbox')],
  ['timers_leased', 'the next timer of a live ride', (tx) => nextRealDue(tx, 'live')],
  ['events_of_sandbox', 'a page of events', (tx) => listEvents(tx, OF_SANDBOX, { limit: 3, after: PLACE })],
  ...['authorization_codes', 'refresh_tokens', 'access_tokens', 'consents', 'live_events'].map(
    (of): (typeof WORK)[number] => [
      `${of}_of_application`,
      'what a deleted application has left',
      (tx) => deleteSomeLeftBy(tx, 'gone'),
    ],
  ),
];

const allowed = (tx: Tx) => allowedApplications(tx, 'ada', { at: NOON, endedIfLastUsedBy: NOON });

/** Work for both kinds of accounts. */
function signIns(tables: SignInTables, [sessions, devices]: readonly [string, string], owner: string): typeof WORK {
  const device = { tokenHash: 'new', accountId: 'ada', signedInAt: NOON, expiresAt: NOON };
  return [
    [`${sessions}_by_expiry`, 'expired sessions', (tx) => DELETE_EXPIRED[tables.sessions](tx, NOON)],
    [`${devices}_by_expiry`, 'expired browsers', (tx) => DELETE_EXPIRED[tables.devices](tx, NOON)],
    [`${devices}_of_${owner}`, 'a new browser', (tx) => insertDevice(tx, tables, device)],
    [`${devices}_of_${owner}`, 'signing out everywhere', (tx) => deleteSignIns(tx, tables, 'ada', 'this')],
    [`${sessions}_of_${owner}`, 'signing out everywhere', (tx) => deleteSignIns(tx, tables, 'ada', 'this')],
    [`${sessions}_of_${owner}`, 'a list of sessions', (tx) => sessionsOf(tx, tables, 'ada', { at: NOON, limit: 9 })],
  ];
}

const TABLE_SCAN =
  /\b(seq )?scan (on )?(rides|events|\w+_tokens|\w+_codes|\w*sessions|\w*devices|\w+_links|passengers|decisions|consents)\b/i;
/** Work that reads its rows in the order of an index. */
const IN_ORDER = ['the waiting lanes', 'a page of events'];
/** Full scans of the queue tables. Allows a scan of an index on SQLite; PostgreSQL uses a bitmap index scan. */
const QUEUE_SCAN = /\b(seq scan on|scan) (timers|deliveries)\b(?! using index)/i;

/** Rows for many passengers in many worlds. The work affects none of them. */
const ROWS: Readonly<Record<string, string>> = {
  passengers: `(world_id, id, email, password_hash, first_name, last_name, phone_verified, account_disabled, driver_mode,
    business_profile, has_taken_a_ride, created_at) select 'w' || n % 40, 'p' || n, 'e' || n, '', '', '', 0, 0, 0, 0, 0, n`,
  sessions: `(token_hash, account_id, signed_in_at, expires_at) select 't' || n, 'p' || n, n, ${NOON} + n`,
  devices: `(token_hash, account_id, signed_in_at, expires_at) select 't' || n, 'p' || n, n, ${NOON} + n`,
  developer_sessions: `(token_hash, account_id, signed_in_at, expires_at) select 't' || n, 'p' || n, n, ${NOON} + n`,
  developer_devices: `(token_hash, account_id, signed_in_at, expires_at) select 't' || n, 'p' || n, n, ${NOON} + n`,
  developer_links: `(token_hash, email, expires_at) select 't' || n, 'e' || n, ${NOON} + n`,
  decisions: `(session_hash, request_hash, decided_at) select 't' || n, 'r', ${NOON} + n`,
  authorization_codes: `(code_hash, application_id, passenger_id, scopes, issued_at, expires_at)
    select 'c' || n, 'app', 'p' || n, '', n, ${NOON} + n`,
  access_tokens: `(token_hash, application_id, passenger_id, world_id, scopes, issued_at, expires_at)
    select 't' || n, 'app', 'p' || n, 'w' || n % 40, '', n, ${NOON} + n`,
  refresh_tokens: `(token_hash, application_id, passenger_id, world_id, scopes, issued_at, last_used_at, revoked_at)
    select 't' || n, 'app', 'p' || n, 'w' || n % 40, '', n, ${NOON} + n, ${NOON} + n`,
  consents: `(passenger_id, application_id, first_allowed_at, last_allowed_at) select 'p' || n, 'app', n, n`,
  phone_codes: `(world_id, passenger_id, phone_number, code_hash, tries, expires_at)
    select 'w' || n % 40, 'p' || n, '', '', 0, ${NOON} + n`,
  rides: `(world_id, id, version, application_id, passenger_id, status, active, ride_type, requested_at, finished_at, document)
    select 'live', 'r' || n, 1, 'app', 'p' || n, 'canceled', 0, 'svc', n, ${NOON} + n, '{}'`,
  events: `(event_id, world_id, ride_id, application_id, type, occurred_at, environment, body, created_at)
    select 'e' || n, 'live', 'r' || n, 'app', '', n, '', '', ${NOON} + n`,
  timers: `(world_id, kind, subject_id, due_at, real_due_at)
    select case when n % 2 = 0 then 'w' || n % 40 else 'live' end, 'k', 's' || n, n, case when n % 10 < 2 then ${NOON} + n end`,
  deliveries: `(event_id, application_id, world_id, status, attempts, earlier_attempts, due_at, real_due_at, resend)
    select 'e' || n, 'app', case when n % 2 = 0 then 'w' || n % 40 else 'live' end,
      case when n % 10 < 2 then 'pending' else 'delivered' end, 1, 0, n, ${NOON} + n, 0`,
};

/**
 * PostgreSQL with statistics, because it reads small tables without an index. The schema is new: in one that other
 * tests have used, deleted rows that a transaction can still see change the plans.
 */
async function filledStore(): Promise<OpenStore> {
  const { url, drop } = await newDatabase('postgres');
  const store = await openStore(url);
  for (const [table, rows] of Object.entries(ROWS)) {
    await sql`insert into ${sql.table(table)} ${sql.raw(rows)} from generate_series(1, 2000) as n`.execute(store.db);
  }
  await analyzeTables(store);
  return { ...store, close: () => store.close().finally(drop) };
}

describe.each(engines)('on %s', (engine) => {
  // a plan leaves its statement open on SQLite
  const store = engine === 'postgres' ? forAll(filledStore) : storeForEach(engine);
  beforeEach(() => insertWorldIfAbsent(store.db, sandbox(), NOON));

  test.each(WORK)('the index %s is used for %s, and no table is read completely', async (index, what, work) => {
    const steps = await plansOf({ db: store.db, engine }, (db) => work(db as Tx), { analyzed: false });
    const plans = steps.join('\n');
    expect(plans).toContain(index);
    expect(plans).not.toMatch(TABLE_SCAN);
    expect(plans).not.toMatch(QUEUE_SCAN);
    if (IN_ORDER.includes(what)) expect(plans).not.toMatch(/sort|temp b-tree/i);
  });
});
