import { CompiledQuery, createQueryId, type RootOperationNode, sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { newDatabase } from '../../scripts/support/temporary-database.ts';
import { LIVE_WORLD } from '../../server/domain/worlds/live.ts';
import { deleteSomeLeftBy } from '../../server/store/application-ends.ts';
import { forgetOffersTo } from '../../server/store/application-log.ts';
import { insertApplicationIfAbsent } from '../../server/store/applications.ts';
import { saveClock } from '../../server/store/clocks.ts';
import { allowedApplications, endAccess } from '../../server/store/consents.ts';
import { forgetDecisions } from '../../server/store/decisions.ts';
import { DELETE_EXPIRED, deleteSome } from '../../server/store/delete-some.ts';
import { dueDeliveryInWorld } from '../../server/store/deliveries/due.ts';
import { waitingLanes } from '../../server/store/deliveries/lanes.ts';
import { lookForDeliveries } from '../../server/store/delivery-list.ts';
import { departUnused, FIRST_USE } from '../../server/store/departures.ts';
import { deleteDeveloperLinkOf } from '../../server/store/developer-links.ts';
import { insertDevice } from '../../server/store/devices.ts';
import { claimDueTimers, dueSandboxes, nextRealDue } from '../../server/store/due-timers.ts';
import { type OpenStore, openStore } from '../../server/store/engine/open.ts';
import { listEvents } from '../../server/store/event-list.ts';
import { deleteOldEvents, OLDEST_EVENT } from '../../server/store/events.ts';
import { insertPassengerIfAbsent } from '../../server/store/passengers.ts';
import { queueDepths } from '../../server/store/queue-depths.ts';
import { findRequests } from '../../server/store/request-batches.ts';
import { revokeAccessToken, revokeByCode } from '../../server/store/revoke-tokens.ts';
import { activeRidesOf, busyDriverIds, deleteOldRides, finishedRidesOf } from '../../server/store/rides.ts';
import { deleteSignIns, sessionsOf } from '../../server/store/sessions.ts';
import { OF_DEVELOPERS, OF_PASSENGERS, type SignInTables } from '../../server/store/sign-in-tables.ts';
import { dueInWorld } from '../../server/store/timers.ts';
import { deleteExpired, keepNewestTokens } from '../../server/store/tokens.ts';
import { FIRST_CALL, forgottenWorlds } from '../../server/store/world-calls.ts';
import { endWorld } from '../../server/store/world-ends.ts';
import { type HeldWorld, insertWorldIfAbsent } from '../../server/store/worlds.ts';
import { watchedDatabase } from '../support/counted-store.ts';
import { engines } from '../support/database.ts';
import { forAll, storeForEach } from '../support/started.ts';
import { application, insertEvent, NOON, passenger, sandbox, webhookEvent } from './samples.ts';

type Tx = Parameters<typeof endAccess>[0];

const LANES = { realNow: NOON, until: 0, mostDue: 1, mostSandboxes: 100, after: null };
const CLAIM = { realNow: NOON, leaseMs: 1000, limit: 4 };
const SANDBOXES = { realNow: NOON, after: '', mostSandboxes: 9 };
const OF_SANDBOX = { worldId: 'w1', applicationId: 'app' };
const PLACE = { occurredAt: NOON, eventId: 'e200' };
const OTHER_CLOCK = { realAnchor: NOON, worldAnchor: NOON + 5, running: true };
const REQUESTS = { applicationId: 'app', developerId: 'ada', since: 2 * NOON };
const OWN_TOKEN = { tokenHash: 't1', applicationId: 'app' };
const HOLDER = { worldId: 'w1', passengerId: 'p1', applicationId: 'app' };
const UNUSED = { before: 2 * NOON, endedIfLastUsedBy: NOON, except: 'demo' };
const END = { end: 'reset', isBegun: false, realNow: NOON, most: 100 } as const;

const DEVICE = { tokenHash: 'new', accountId: 'ada', signedInAt: NOON, expiresAt: NOON };
const OF_CREDENTIALS =
  'issued_tokens_by_expiry access_grants_by_expiry authorization_codes_by_expiry refresh_tokens_by_revocation refresh_tokens_by_last_use';
/** Also for the access of one application, which may have millions of passengers. */
const OF_PASSENGER = 'codes_of_passenger refresh_tokens_of_passenger access_grants_of_passenger';
const OF_DRIVERS = 'one_ride_per_driver rides_of_driver';
const OF_LANES = 'deliveries_due_live deliveries_due_in_sandboxes';
const OF_APPLICATION = ['authorization_codes', 'refresh_tokens', 'access_grants', 'consents', 'live_events']
  .map((table) => `${table}_of_application`)
  .concat('request_batches')
  .join(' ');

type Work = readonly [what: string, indexes: string, work: (tx: Tx) => Promise<unknown>];

/** Work for both kinds of accounts. */
const signIns = (tables: SignInTables, sessions: string, devices: string, owner: string): Work[] => [
  ['expired sessions', `${sessions}_by_expiry`, (tx) => DELETE_EXPIRED[tables.sessions](tx, NOON)],
  ['expired browsers', `${devices}_by_expiry`, (tx) => DELETE_EXPIRED[tables.devices](tx, NOON)],
  ['a new browser', `${devices}_of_${owner}`, (tx) => insertDevice(tx, tables, DEVICE)],
  ['signing out', `${sessions}_of_${owner} ${devices}_of_${owner}`, (tx) => deleteSignIns(tx, tables, 'ada', 'me')],
  ['a list of sessions', `${sessions}_of_${owner}`, (tx) => sessionsOf(tx, tables, 'ada', { at: NOON, limit: 9 })],
];

/** Queries of the sweep, the account pages, the workers and the metrics, each with the indexes that it needs. */
const WORK: readonly Work[] = [
  ['old rides', 'live_rides_by_finish', (tx) => deleteOldRides(tx, NOON)],
  ['old events', 'events_by_age', (tx) => deleteOldEvents(tx, NOON, OLDEST_EVENT)],
  ['expired credentials', OF_CREDENTIALS, (tx) => deleteExpired(tx, NOON, NOON)],
  ['expired links', 'developer_links_by_expiry', (tx) => DELETE_EXPIRED.developerLinks(tx, NOON)],
  ['what the logs say about offers to a developer', 'application_log_offers', (tx) => forgetOffersTo(tx, 'ada')],
  [
    'old requests',
    'request_batches_by_end',
    (tx) => deleteSome(tx, 'requestBatches', ['applicationId', 'number'], (row) => row('endedAt', '<=', NOON)),
  ],
  [
    'a page of requests',
    'request_batches',
    (tx) => findRequests(tx, REQUESTS, { before: null, limit: 9, matches: () => true, nextTurn: async () => {} }),
  ],
  ['the link of an email', 'developer_links_of_email', (tx) => deleteDeveloperLinkOf(tx, 'ada@example.com')],
  ['expired codes of phones', 'phone_codes_by_expiry', (tx) => DELETE_EXPIRED.phoneCodes(tx, NOON)],
  ['old decisions', 'decisions_by_age', (tx) => forgetDecisions(tx, NOON)],
  ['the reset of a sandbox', 'passengers_altered access_grants_of_passenger', (tx) => endWorld(tx, 'sandbox', END)],
  ...signIns(OF_PASSENGERS, 'sessions', 'devices', 'passenger'),
  ...signIns(OF_DEVELOPERS, 'developer_sessions', 'developer_devices', 'account'),
  ['the end of all access', 'codes_of_passenger passengers_by_id rides_told', (tx) => endAccess(tx, 'ada', NOON)],
  [
    'the list of what a passenger allowed',
    OF_PASSENGER,
    (tx) => allowedApplications(tx, 'ada', { at: NOON, endedIfLastUsedBy: NOON, after: '', limit: 9 }),
  ],
  ['the rides of a passenger who left', 'rides_of_passenger', (tx) => finishedRidesOf(tx, LIVE_WORLD.id, 'ada', 9)],
  ['the end of the access of one application', OF_PASSENGER, (tx) => endAccess(tx, 'ada', NOON, 'app')],
  ['the depths of queues', `timers_due_live timers_due_in_sandboxes ${OF_LANES}`, (tx) => queueDepths(tx, NOON)],
  ['the waiting lanes', OF_LANES, (tx) => waitingLanes(tx, LANES)],
  [
    'the lanes of sandboxes with much that is due',
    `${OF_LANES} deliveries_due_in_sandbox worlds_of_application`,
    (tx) => waitingLanes(tx, { ...LANES, until: 2 * NOON }),
  ],
  ['the due timers of a sandbox', 'timers_due_in_sandbox', (tx) => claimDueTimers(tx, { worldId: 'w1', ...CLAIM })],
  ['the due timers of live rides', 'timers_due_live', (tx) => claimDueTimers(tx, { worldId: 'live', ...CLAIM })],
  ['sandboxes with due timers', 'timers_due_in_sandboxes', (tx) => dueSandboxes(tx, SANDBOXES)],
  [
    'further ones of very many',
    'timers_due_in_sandbox(es)?',
    (tx) => dueSandboxes(tx, { ...SANDBOXES, realNow: 2 * NOON, after: 'w1' }),
  ],
  ['the next timer of a sandbox', 'timers_due_in_sandboxes', (tx) => nextRealDue(tx, 'sandbox')],
  ['the next timer of a live ride', 'timers_leased', (tx) => nextRealDue(tx, 'live')],
  ['the busy ones of some drivers', OF_DRIVERS, (tx) => busyDriverIds(tx, 'live', NOON, ['d1', 'd2'])],
  ['a page of events', 'events_of_sandbox', (tx) => listEvents(tx, OF_SANDBOX, { limit: 3, after: PLACE })],
  [
    'a page of live events',
    'live_events_of_application',
    (tx) => listEvents(tx, { ...OF_SANDBOX, worldId: 'live' }, { limit: 3, after: PLACE }),
  ],
  [
    'the events of a ride',
    'events_of_ride',
    (tx) => listEvents(tx, { ...OF_SANDBOX, worldId: 'live', rideId: 'r1' }, { limit: 3, after: PLACE }),
  ],
  ...(['pending', 'given_up'] as const).flatMap((state) =>
    (['live', 'w1'] as const).map((worldId): Work => {
      const usual = worldId === 'live' ? 'live_events_of_application' : 'events_of_sandbox';
      const index = state === 'pending' ? usual : 'deliveries_not_made';
      const search = { ...OF_SANDBOX, worldId, state, since: 1, until: 2 * NOON };
      return [`deliveries ${state} in ${worldId}`, index, (tx) => lookForDeliveries(tx, search, PLACE)];
    }),
  ),
  ['some active rides', 'one_active_ride', (tx) => activeRidesOf(tx, LIVE_WORLD as HeldWorld, { after: '', limit: 9 })],
  ['the next timer in world time', 'timers_by_due', (tx) => dueInWorld(tx, 'w2', NOON)],
  ['the next delivery in world time', 'deliveries_of_world', (tx) => dueDeliveryInWorld(tx, 'w2', NOON)],
  ['another clock', 'timers_by_due deliveries_of_world', (tx) => saveClock(tx, 'sandbox', OTHER_CLOCK)],
  [
    'unused passengers',
    'applications_by_sandbox passengers_by_use',
    (tx) => departUnused(tx, UNUSED, NOON, { ...FIRST_USE, lastUsedAt: 1 }),
  ],
  ['forgotten sandboxes', 'deliveries_due_in_sandbox(es)?', (tx) => forgottenWorlds(tx, NOON, FIRST_CALL, 9)],
  [
    'the oldest tokens of a consent',
    'access_grants_of_passenger application_id',
    (tx) => keepNewestTokens(tx, HOLDER, 'new', 9, NOON),
  ],
  ['the end of a token', 'issued_tokens', (tx) => revokeAccessToken(tx, OWN_TOKEN, 'live', NOON)],
  ['the end of all tokens of a code', 'access_grants_by_code', (tx) => revokeByCode(tx, 'c1', NOON)],
  ['what a deleted application has left', OF_APPLICATION, (tx) => deleteSomeLeftBy(tx, 'gone')],
];

const TABLE_SCAN =
  /(?<!bitmap heap )\b(seq )?scan (on )?(rides|events|access_grants|\w+_tokens|\w+_codes|\w*sessions|\w*devices|\w+_links|passengers|decisions|consents|application_log|request_batches)\b/i;
/** Work that reads its rows in the order of an index. */
const IN_ORDER = [
  'the waiting lanes',
  'a page of events',
  'a page of live events',
  'deliveries pending in live',
  'deliveries pending in w1',
  'deliveries given_up in live',
  'deliveries given_up in w1',
  'some active rides',
  'the next timer in world time',
  'the next delivery in world time',
];
/** Full scans of the queue tables. Allows a scan of an index on SQLite; PostgreSQL uses a bitmap index scan. */
const QUEUE_SCAN = /\b(seq scan on|scan) (timers|deliveries)\b(?! using index)/i;

const SIGN_IN = `(token_hash, account_id, signed_in_at, expires_at) select 't' || n, 'p' || n, n, ${NOON} + n`;
/** Rows for many passengers in many worlds. The work affects none of them. */
const ROWS: Readonly<Record<string, string>> = {
  passengers: `(world_id, id, email, password_hash, first_name, last_name, phone_verified, account_disabled, driver_mode,
    business_profile, has_taken_a_ride, created_at) select 'w' || n % 40, 'p' || n, 'e' || n, '', '', '', 0, 0, 0, 0, 0, n`,
  ...{ sessions: SIGN_IN, devices: SIGN_IN, developer_sessions: SIGN_IN, developer_devices: SIGN_IN },
  developer_links: `(token_hash, email, expires_at) select 't' || n, 'e' || n, ${NOON} + n`,
  application_log: `(application_id, number, at, action, detail)
    select 'a' || n, 1, n, case when n % 10 < 2 then 'transfer_offered' else 'renamed' end, 'd' || n`,
  request_batches: `(application_id, number, developer_id, ended_at, requests)
    select 'a' || n % 40, n, 'ada', ${NOON} + n, ''`,
  decisions: `(session_hash, request_hash, decided_at) select 't' || n, 'r', ${NOON} + n`,
  authorization_codes: `(code_hash, application_id, passenger_id, scopes, issued_at, expires_at)
    select 'c' || n, 'app', 'p' || n, '', n, ${NOON} + n`,
  access_grants: `(id, digest, application_id, passenger_id, world_id, scopes, expires_at)
    select n, n, 'app', 'p' || n, 'w' || n % 40, '', ${NOON} + n`,
  issued_tokens: `(token_hash, grant_id, issued_at, expires_at) select 't' || n, n, n, ${NOON} + n`,
  refresh_tokens: `(token_hash, application_id, passenger_id, world_id, scopes, issued_at, last_used_at, revoked_at)
    select 't' || n, 'app', 'p' || n, 'w' || n % 40, '', n, ${NOON} + n, ${NOON} + n`,
  consents: `(passenger_id, application_id, first_allowed_at, last_allowed_at) select 'p' || n, 'app', n, n`,
  phone_codes: `(world_id, passenger_id, phone_number, code_hash, tries, expires_at)
    select 'w' || n % 40, 'p' || n, '', '', 0, ${NOON} + n`,
  rides: `(world_id, id, version, application_id, passenger_id, driver_id, status, active, ride_type, requested_at, finished_at,
    document) select 'live', 'r' || n, 1, 'app', 'p' || n, 'd' || n, 'canceled', 0, 'svc', n, ${NOON} + n, '{}'`,
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
  // a plain `analyze` would read the schemas of all other tests as well
  await sql`analyze ${sql.join(Object.keys(ROWS).map((table) => sql.table(table)))}`.execute(store.db);
  return { ...store, close: () => store.close().finally(drop) };
}

/** The query plans of some work, one step per line. */
async function plansOf({ db, engine }: OpenStore, work: Work[2]): Promise<string> {
  const run: RootOperationNode[] = [];
  await work(watchedDatabase(db, (statement) => run.push(statement)) as Tx);
  const steps: string[] = [];
  for (const query of run) {
    const { sql: text, parameters } = db.getExecutor().compileQuery(query, createQueryId());
    const explain = engine === 'sqlite' ? 'explain query plan' : 'explain';
    const { rows } = await db.executeQuery<object>(CompiledQuery.raw(`${explain} ${text}`, [...parameters]));
    steps.push(...rows.map((row) => String(Object.values(row).at(-1))));
  }
  return steps.join('\n');
}

describe.each(engines)('on %s', (engine) => {
  // a plan leaves its statement open on SQLite
  const store = engine === 'postgres' ? forAll(filledStore) : storeForEach(engine);
  beforeEach(async () => {
    await insertApplicationIfAbsent(store.db, application());
    await insertWorldIfAbsent(store.db, sandbox(), NOON);
    const event = webhookEvent({ worldId: 'sandbox' });
    // a passenger who has not been used
    await insertPassengerIfAbsent(store.db, passenger({ worldId: 'sandbox', id: 'unused' }));
    if (engine === 'sqlite') await store.transaction((tx) => insertEvent(tx, event, sandbox(), NOON));
  });

  test.each(WORK)('%s: the indexes %s are used, and no table is read completely', async (what, indexes, work) => {
    const plans = await plansOf(store, work);
    for (const index of indexes.split(' ')) expect(plans).toMatch(new RegExp(`\\b${index}\\b`));
    expect(plans).not.toMatch(TABLE_SCAN);
    expect(plans).not.toMatch(QUEUE_SCAN);
    if (IN_ORDER.includes(what)) expect(plans).not.toMatch(/sort|temp b-tree/i);
  });
});
