import { sql, type Transaction } from 'kysely';
import { type World, type WorldClock, worldTime } from '../domain/worlds/clock.ts';
import type { WebhookSettings } from '../domain/worlds/settings.ts';
import { hasRowLocks } from './dialect.ts';
import { realDueOf } from './events.ts';
import type { AttemptRow, Database, DeliveryRow, DeliveryStatus, Queries, WebhookEventRow } from './schema.ts';
import { type ClockColumns, holdClocks, toClock, toSettings } from './worlds.ts';

/** As a literal, for a bound parameter would keep SQLite from using the indexes over what is pending alone. */
const PENDING = sql.lit<'pending'>('pending');
const SANDBOX = sql.lit<'sandbox'>('sandbox');

/** An event that is to be delivered, and all that an attempt takes. */
export interface DueDelivery
  extends Readonly<
      Pick<
        DeliveryRow,
        | 'eventId'
        | 'applicationId'
        | 'worldId'
        | 'attempts'
        | 'earlierAttempts'
        | 'scheduleAnchor'
        | 'dueAt'
        | 'realDueAt'
        | 'lastEndedAt'
      >
    >,
    Readonly<Pick<WebhookEventRow, 'environment' | 'body'>> {
  /** The world's own or the application's; null: neither has a webhook any more. */
  readonly url: string | null;
  readonly verificationToken: string;
  readonly previousVerificationToken: string | null;
  /** Real milliseconds UTC. */
  readonly verificationTokenChangedAt: number | null;
  readonly clock: WorldClock;
  /** What goes wrong with it, as its world is told to. */
  readonly faults: WebhookSettings;
}

/** Who claims a delivery, and how long it is theirs alone; after that another one may claim it if it is still pending. */
export interface Lease {
  /** Real milliseconds UTC. */
  readonly realNow: number;
  readonly leaseMs: number;
  readonly owner: string;
}

export interface DeliveryClaim extends Lease {
  readonly limit: number;
  /** At most so many of each application; as many as `limit` if absent. */
  readonly limitPerApplication?: number;
  /** Applications of which none is claimed. */
  readonly except: readonly string[];
}

/** Claims what is due, earliest first, none twice. However much waits for one application, the others are found as fast. */
export async function claimDueDeliveries(
  db: Queries,
  { realNow, leaseMs, owner, limit, limitPerApplication = limit, except }: DeliveryClaim,
): Promise<DueDelivery[]> {
  const waiting = withWaitingApplications(db);
  const claimed = await waiting
    .with('due', (cte) => {
      const ofEach = cte
        .selectFrom('deliveries')
        .select(['eventId', 'realDueAt'])
        .whereRef('deliveries.applicationId', '=', sql.ref('waiting.applicationId'))
        .where('status', '=', PENDING)
        .where('realDueAt', '<=', realNow)
        .where((row) => row.or([row('leaseUntil', 'is', null), row('leaseUntil', '<=', realNow)]))
        .orderBy('realDueAt')
        .limit(limitPerApplication);
      const applications = cte
        .selectFrom('waiting')
        .$if(except.length > 0, (query) => query.where('waiting.applicationId', 'not in', except));
      // the same in the words of either: SQLite has no lateral joins, and PostgreSQL would look at every pair
      const found = hasRowLocks(db)
        ? applications.innerJoinLateral(ofEach.forUpdate().skipLocked().as('found'), (join) => join.onTrue())
        : applications.innerJoin('deliveries as found', (join) =>
            join.on('found.eventId', 'in', ofEach.clearSelect().select('deliveries.eventId')),
          );
      return found.select('found.eventId').orderBy('found.realDueAt').limit(limit);
    })
    .updateTable('deliveries')
    .set({ leaseOwner: owner, leaseUntil: realNow + leaseMs })
    .where('eventId', 'in', (row) => row.selectFrom('due').select('due.eventId'))
    .returning('eventId')
    .execute();
  if (claimed.length === 0) return [];
  const ids = claimed.map(({ eventId }) => eventId);
  const rows = await dueDeliveries(db)
    .where('deliveries.eventId', 'in', ids)
    .orderBy('deliveries.realDueAt')
    // of those that are due at once
    .orderBy('events.occurredAt')
    .execute();
  return rows.map(toDueDelivery);
}

/** The first application of which something may fall due, the next one, and so on: each found by the index alone. */
function withWaitingApplications(db: Queries) {
  return db.withRecursive('waiting(applicationId)', (cte) =>
    cte.selectNoFrom(sql<string | null>`''`.as('applicationId')).unionAll(
      cte
        .selectFrom('waiting')
        .select((row) =>
          row
            .selectFrom('deliveries')
            .select('deliveries.applicationId')
            .where('deliveries.status', '=', PENDING)
            .where('deliveries.realDueAt', 'is not', null)
            .whereRef('deliveries.applicationId', '>', 'waiting.applicationId')
            .orderBy('deliveries.applicationId')
            .limit(1)
            .as('applicationId'),
        )
        .where('waiting.applicationId', 'is not', null),
    ),
  );
}

function dueDeliveries(db: Queries) {
  return db
    .selectFrom('deliveries')
    .innerJoin('events', 'events.eventId', 'deliveries.eventId')
    .innerJoin('applications', 'applications.id', 'deliveries.applicationId')
    .innerJoin('worlds', 'worlds.id', 'deliveries.worldId')
    .select([
      'deliveries.eventId',
      'deliveries.applicationId',
      'deliveries.worldId',
      'deliveries.attempts',
      'deliveries.earlierAttempts',
      'deliveries.scheduleAnchor',
      'deliveries.dueAt',
      'deliveries.realDueAt',
      'deliveries.lastEndedAt',
      'events.environment',
      'events.body',
      'applications.webhookUrl as url',
      'applications.verificationToken',
      'applications.previousVerificationToken',
      'applications.verificationTokenChangedAt',
      'worlds.clockRealAnchor',
      'worlds.clockWorldAnchor',
      'worlds.clockRunning',
      (row) => row.case().when('worlds.kind', '=', SANDBOX).then(row.ref('worlds.settings')).end().as('settings'),
    ]);
}

function toDueDelivery(
  row: Omit<DueDelivery, 'clock' | 'faults'> & ClockColumns & { readonly settings: string | null },
): DueDelivery {
  const { clockRealAnchor, clockWorldAnchor, clockRunning, settings, ...delivery } = row;
  const { webhooks: faults } = toSettings({ settings });
  const clock = toClock({ clockRealAnchor, clockWorldAnchor, clockRunning });
  return { ...delivery, ...ownAddress(faults), clock, faults };
}

/** Where a world's webhooks go that has a URL of its own, and what signs them; else nothing. */
function ownAddress({ url, verificationToken }: WebhookSettings) {
  if (url === null || verificationToken === null) return {};
  return { url, verificationToken, previousVerificationToken: null, verificationTokenChangedAt: null };
}

/** A delivery with all that an attempt takes, as it is now. */
export async function findDueDelivery(db: Queries, eventId: string): Promise<DueDelivery | undefined> {
  const row = await dueDeliveries(db).where('deliveries.eventId', '=', eventId).executeTakeFirst();
  return row && toDueDelivery(row);
}

/**
 * Claims one delivery, due or not.
 *
 * @returns false when it is another's, or no longer pending
 */
export async function claimDelivery(db: Queries, eventId: string, lease: Lease): Promise<boolean> {
  const { realNow, leaseMs, owner } = lease;
  const { numUpdatedRows } = await db
    .updateTable('deliveries')
    .set({ leaseOwner: owner, leaseUntil: realNow + leaseMs })
    .where('eventId', '=', eventId)
    .where('status', '=', PENDING)
    .where((row) => row.or([row('leaseUntil', 'is', null), row('leaseUntil', '<=', realNow)]))
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Prolongs what an owner holds, to an instant in real milliseconds UTC. */
export async function renewLeases(db: Queries, owner: string, leaseUntil: number): Promise<void> {
  await db.updateTable('deliveries').set({ leaseUntil }).where('eventId', 'in', heldBy(db, owner)).execute();
}

/** Lets go of what an owner holds, so that others need not wait for it. */
export async function releaseLeases(db: Queries, owner: string): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ leaseOwner: null, leaseUntil: null })
    .where('eventId', 'in', heldBy(db, owner))
    .execute();
}

/** Lets go of one delivery that an owner holds, when nobody else is writing it any more. */
export async function releaseDelivery(db: Queries, eventId: string, owner: string): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ leaseOwner: null, leaseUntil: null })
    .where('eventId', '=', eventId)
    .where('leaseOwner', '=', owner)
    .execute();
}

/** Lets go of everything. Only for who knows that no worker lives: the one owner of an SQLite file, at its start. */
export async function releaseAllLeases(db: Queries): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ leaseOwner: null, leaseUntil: null })
    .where('leaseOwner', 'is not', null)
    .execute();
}

function heldBy(db: Queries, owner: string) {
  return (
    db
      .selectFrom('deliveries')
      .select('eventId')
      .where('leaseOwner', '=', owner)
      // what somebody is writing is either being recorded, or has its turn the next time
      .$if(hasRowLocks(db), (query) => query.forUpdate().skipLocked())
  );
}

/** An attempt as it was made; it is numbered when it is recorded. */
export type MadeAttempt = Readonly<Omit<AttemptRow, 'number'>>;

/** An attempt that was made under a lease, and what follows from it. */
export interface AttemptResult {
  readonly attempt: MadeAttempt;
  /** Those that were made after it had arrived, from which nothing follows; none if absent. */
  readonly duplicates?: readonly MadeAttempt[];
  readonly next: {
    readonly status: DeliveryStatus;
    /** World time. */
    readonly dueAt: number;
    /** World time at which the first attempt of the schedule started. */
    readonly scheduleAnchor: number | null;
  };
  readonly owner: string;
}

/**
 * Records attempts, at most one of each event and its duplicates, and ends their leases. When the next one is due in real time follows from the world's
 * clock as it is by now. An attempt whose lease somebody else has by now is left out: what they record counts.
 *
 * @returns the ids of the events whose attempts were recorded
 */
export async function recordAttempts(tx: Transaction<Database>, results: readonly AttemptResult[]): Promise<string[]> {
  const rows = await openLeases(
    tx,
    results.map(({ attempt }) => attempt.eventId),
  );
  const attempts: AttemptRow[] = [];
  const deliveries: DeliveryRow[] = [];
  for (const { attempt, duplicates = [], next, owner } of results) {
    const held = rows.get(attempt.eventId);
    if (held?.row.leaseOwner !== owner) continue;
    const made = [attempt, ...duplicates];
    const before = held.row.earlierAttempts + held.row.attempts;
    attempts.push(...made.map((one, i) => ({ ...one, number: before + i + 1 })));
    deliveries.push(afterAttempts(held.row, held.clock, made, next));
  }
  if (deliveries.length === 0) return [];
  await tx.insertInto('attempts').values(attempts).execute();
  await updateDeliveries(tx, deliveries);
  return deliveries.map(({ eventId }) => eventId);
}

/** The deliveries and the clocks that govern them, which nobody changes until the transaction ends. */
async function openLeases(
  tx: Transaction<Database>,
  eventIds: readonly string[],
): Promise<Map<string, { row: DeliveryRow; clock: WorldClock }>> {
  if (eventIds.length === 0) return new Map();
  const found = tx.selectFrom('deliveries').where('eventId', 'in', eventIds);
  const worlds = await found.select('worldId').distinct().execute();
  // clocks first, as who sets one goes on to the deliveries
  const clocks = await holdClocks(
    tx,
    worlds.map(({ worldId }) => worldId),
  );
  const rows = await found
    .selectAll()
    .orderBy('eventId')
    .$if(hasRowLocks(tx), (query) => query.forUpdate())
    .execute();
  return new Map(rows.map((row) => [row.eventId, { row, clock: clocks.get(row.worldId)! }]));
}

function afterAttempts(
  row: DeliveryRow,
  clock: WorldClock,
  made: readonly MadeAttempt[],
  { status, dueAt, scheduleAnchor }: AttemptResult['next'],
): DeliveryRow {
  const { startedAt, durationMs } = made.at(-1)!;
  const lastEndedAt = startedAt + durationMs;
  const after = { ...row, lastEndedAt, attempts: row.attempts + made.length, leaseOwner: null, leaseUntil: null };
  if (row.resend === 1) return { ...after, ...onScheduleAnew(after, clock, lastEndedAt) };
  const realDueAt = status === 'pending' ? realDueOf(clock, dueAt, lastEndedAt) : null;
  return { ...after, status, dueAt, realDueAt, scheduleAnchor };
}

/** A delivery that is due at once, also in a frozen world, and numbers its attempts on. */
function onScheduleAnew(row: Pick<DeliveryRow, 'attempts' | 'earlierAttempts'>, clock: WorldClock, realNow: number) {
  return {
    status: 'pending',
    earlierAttempts: row.earlierAttempts + row.attempts,
    attempts: 0,
    scheduleAnchor: null,
    dueAt: worldTime(clock, realNow),
    realDueAt: realNow,
    resend: 0,
  } as const;
}

/** Many rows at once: each is there, so each is a conflict. */
async function updateDeliveries(tx: Transaction<Database>, rows: readonly DeliveryRow[]): Promise<void> {
  await tx
    .insertInto('deliveries')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('eventId').doUpdateSet((row) => ({
        status: row.ref('excluded.status'),
        attempts: row.ref('excluded.attempts'),
        earlierAttempts: row.ref('excluded.earlierAttempts'),
        scheduleAnchor: row.ref('excluded.scheduleAnchor'),
        dueAt: row.ref('excluded.dueAt'),
        realDueAt: row.ref('excluded.realDueAt'),
        lastEndedAt: row.ref('excluded.lastEndedAt'),
        leaseOwner: row.ref('excluded.leaseOwner'),
        leaseUntil: row.ref('excluded.leaseUntil'),
        resend: row.ref('excluded.resend'),
      })),
    )
    .execute();
}

/** Gives up what an owner holds without an attempt: it has nowhere to go any more. */
export async function dropDelivery(db: Queries, eventId: string, owner: string): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ status: 'dropped', realDueAt: null, leaseOwner: null, leaseUntil: null, resend: 0 })
    .where('eventId', '=', eventId)
    .where('leaseOwner', '=', owner)
    .execute();
}

/**
 * Real milliseconds UTC from which something can be claimed; null when nothing ever can, as things are.
 *
 * @param except applications that are left out
 */
export async function nextDeliveryDue(db: Queries, except: readonly string[] = []): Promise<number | null> {
  const free = await withWaitingApplications(db)
    .selectFrom('waiting')
    .$if(except.length > 0, (query) => query.where('waiting.applicationId', 'not in', except))
    .select((row) =>
      row
        .selectFrom('deliveries')
        .select('realDueAt')
        .whereRef('deliveries.applicationId', '=', 'waiting.applicationId')
        .where('status', '=', PENDING)
        .where('realDueAt', 'is not', null)
        .where('leaseUntil', 'is', null)
        .orderBy('realDueAt')
        .limit(1)
        .as('realDueAt'),
    )
    .execute();
  const leased = await db
    .selectFrom('deliveries')
    .select(['realDueAt', 'leaseUntil'])
    .where('leaseOwner', 'is not', null)
    .where('realDueAt', 'is not', null)
    .$if(except.length > 0, (query) => query.where('applicationId', 'not in', except))
    .execute();
  const instants = [
    ...free.flatMap(({ realDueAt }) => realDueAt ?? []),
    ...leased.map((row) => Math.max(row.realDueAt!, row.leaseUntil!)),
  ];
  return instants.length === 0 ? null : Math.min(...instants);
}

/**
 * The delivery of a world that is due first, if that is by this instant of its clock; claimed or not. Who means to make the attempt
 * claims it first: see claimDelivery.
 */
export async function dueDeliveryInWorld(db: Queries, worldId: string, until: number): Promise<DueDelivery | null> {
  const row = await dueDeliveries(db)
    .where('deliveries.worldId', '=', worldId)
    .where('deliveries.status', '=', PENDING)
    .where('deliveries.dueAt', '<=', until)
    // a seeded world repeats itself: what is due at once has an order too
    .orderBy('deliveries.dueAt')
    .orderBy('events.occurredAt')
    .orderBy('deliveries.eventId')
    .limit(1)
    .executeTakeFirst();
  return row ? toDueDelivery(row) : null;
}

/**
 * Puts an event on a schedule anew, from now on, whatever became of it: while an attempt is under way, from when that has ended. Its body is
 * the same, and its attempts are numbered on.
 *
 * @param realNow milliseconds UTC
 * @returns false when the application has no such event in this world
 */
export async function redeliver(
  tx: Transaction<Database>,
  { eventId, applicationId }: Pick<DeliveryRow, 'eventId' | 'applicationId'>,
  { id: worldId, clock }: World,
  realNow: number,
): Promise<boolean> {
  // written first, so that nobody claims it or records an attempt meanwhile
  const row = await tx
    .updateTable('deliveries')
    .set({ resend: 1 })
    .where('eventId', '=', eventId)
    .where('applicationId', '=', applicationId)
    .where('worldId', '=', worldId)
    .returning(['attempts', 'earlierAttempts', 'leaseUntil'])
    .executeTakeFirst();
  if (row === undefined) return false;
  if (row.leaseUntil === null || row.leaseUntil <= realNow) {
    await tx
      .updateTable('deliveries')
      .set({ ...onScheduleAnew(row, clock, realNow), leaseOwner: null, leaseUntil: null })
      .where('eventId', '=', eventId)
      .execute();
  }
  return true;
}
