import { sql } from 'kysely';
import { type EndedAttempt, failingSince } from '../../domain/webhooks/failing.ts';
import type { WorldClock } from '../../domain/worlds/clock.ts';
import { LIVE_WORLD } from '../../domain/worlds/live.ts';
import { hasRowLocks, listOfColumn } from '../engine/dialect.ts';
import { equal } from '../equal.ts';
import { realDueOf } from '../events.ts';
import { excluded } from '../on-conflict.ts';
import type { Queries, Tx } from '../schema.ts';
import type { AttemptRow, DeliveryRow } from '../webhook-rows.ts';
import { holdClocks } from '../worlds.ts';
import { onScheduleAnew } from './resend.ts';

/** Stored attempts of an event. The contract of the event list states this number. @beyond the earliest are deleted */
export const MOST_ATTEMPTS_KEPT = 20;

/** A finished attempt. It gets its number when it is recorded. */
export type MadeAttempt = Readonly<Omit<AttemptRow, 'number'>>;

/** An attempt made under a lease, and the delivery's next state. */
export interface AttemptResult {
  readonly attempt: MadeAttempt;
  /** Simulated duplicates of a successful attempt. They do not change the next state. */
  readonly duplicates?: readonly MadeAttempt[];
  readonly next: Readonly<Pick<DeliveryRow, 'status' | 'dueAt' | 'scheduleAnchor'>>;
  readonly owner: string;
  /** The token of the application or sandbox at the time of the attempt. */
  readonly verificationToken: string;
}

/** An application as this transaction sees it. */
interface Receiver {
  readonly applicationId: string;
  readonly webhookFailingSince: number | null;
  /** Null: the application is deleted. */
  readonly verificationToken: string | null;
}

interface Held {
  readonly row: DeliveryRow;
  readonly clock: WorldClock;
  readonly receiver: Receiver;
}

/**
 * Records attempts and ends their leases. Takes at most one attempt of each event, with its duplicates. The world's
 * current clock decides when the next attempt is due in real time. Skips an attempt whose lease another worker now
 * holds: that worker's attempt counts.
 */
export async function recordAttempts(tx: Tx, results: readonly AttemptResult[]): Promise<string[]> {
  const eventIds = results.map(({ attempt }) => attempt.eventId);
  const rows = await holdDeliveries(tx, eventIds);
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
  await deleteEarlierAttempts(tx, deliveries);
  await recordFailingOf(tx, rows, results);
  return deliveries.map(({ eventId }) => eventId);
}

/** Records whether each application's live webhooks fail. Ignores attempts at its previous URL, and those of a resend. */
async function recordFailingOf(
  tx: Tx,
  rows: ReadonlyMap<string, Held>,
  results: readonly AttemptResult[],
): Promise<void> {
  const told = new Map<string, { readonly receiver: Receiver; readonly attempts: EndedAttempt[] }>();
  for (const { attempt, next, owner, verificationToken } of results) {
    const held = rows.get(attempt.eventId);
    if (held?.row.leaseOwner !== owner || held.row.worldId !== LIVE_WORLD.id || held.row.resent === 1) continue;
    const { receiver } = held;
    if (receiver.verificationToken !== verificationToken) continue;
    const of = told.get(receiver.applicationId) ?? { receiver, attempts: [] };
    of.attempts.push({ endedAt: attempt.startedAt + attempt.durationMs, delivered: next.status === 'delivered' });
    told.set(receiver.applicationId, of);
  }
  for (const { receiver, attempts } of told.values()) await recordFailing(tx, receiver, attempts);
}

/**
 * Updates the time since which all of an application's live webhooks have failed, if these attempts change it. Skips an
 * application that another transaction is changing: this one must not wait for it, and the next attempt reports the
 * same state.
 */
async function recordFailing(
  tx: Tx,
  { applicationId, webhookFailingSince: before, verificationToken }: Receiver,
  attempts: readonly EndedAttempt[],
): Promise<void> {
  const since = failingSince(before, attempts);
  if (since === before || verificationToken === null) return;
  await tx
    .updateTable('applications')
    .set({ webhookFailingSince: since })
    .where('id', 'in', (row) =>
      row
        .selectFrom('applications')
        .select('id')
        .where('id', '=', applicationId)
        // a new URL comes with a new token and starts over
        .where('verificationToken', '=', verificationToken)
        .$if(hasRowLocks(tx), (query) => query.forNoKeyUpdate().skipLocked()),
    )
    .execute();
}

/**
 * Locks the sandboxes of deliveries until the transaction ends. Waits for none, because results of all applications are
 * recorded together.
 * @returns the events whose sandbox another transaction has locked
 */
export async function inLockedSandboxes(tx: Tx, eventIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (!hasRowLocks(tx)) return new Set();
  const found = await tx
    .selectFrom('deliveries')
    .select(['eventId', 'worldId'])
    .where('eventId', 'in', eventIds)
    .execute();
  const free = await holdClocks(tx, [...new Set(found.map(({ worldId }) => worldId))], 'skip');
  return new Set(found.filter(({ worldId }) => !free.has(worldId)).map(({ eventId }) => eventId));
}

/** Locks the deliveries and their worlds' clocks until the transaction ends. */
async function holdDeliveries(tx: Tx, eventIds: readonly string[]): Promise<Map<string, Held>> {
  if (eventIds.length === 0) return new Map();
  const found = tx.selectFrom('deliveries').where('eventId', 'in', eventIds);
  const worlds = await found.select('worldId').distinct().execute();
  // lock order: clocks, then deliveries, as in saveClock
  const worldIds = worlds.map(({ worldId }) => worldId);
  const clocks = await holdClocks(tx, worldIds);
  const rows = await found
    .leftJoin('applications', 'applications.id', 'deliveries.applicationId')
    .selectAll('deliveries')
    .select(['applications.webhookFailingSince', 'applications.verificationToken'])
    .orderBy('eventId')
    .$if(hasRowLocks(tx), (query) => query.forUpdate('deliveries'))
    .execute();
  const held = rows.map(({ webhookFailingSince, verificationToken, ...row }): Held => {
    const { applicationId, worldId } = row;
    const receiver = { applicationId, webhookFailingSince, verificationToken };
    return { row, clock: clocks.get(worldId)!, receiver };
  });
  return new Map(held.map((one) => [one.row.eventId, one]));
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

// biome-ignore format: one column per line would fill a screen
const CHANGED_BY_ATTEMPTS = [
  'status', 'attempts', 'earlierAttempts', 'scheduleAnchor', 'dueAt', 'realDueAt', 'lastEndedAt', 'leaseOwner',
  'leaseUntil', 'resend', 'resent',
] as const satisfies readonly (keyof DeliveryRow)[];

/** Updates many rows in one statement. Every row exists, so every insert conflicts and becomes an update. */
async function updateDeliveries(tx: Tx, rows: readonly DeliveryRow[]): Promise<void> {
  await tx
    .insertInto('deliveries')
    .values(rows)
    .onConflict((conflict) => conflict.column('eventId').doUpdateSet(excluded(CHANGED_BY_ATTEMPTS)))
    .execute();
}

/** Keeps the latest attempts of each event, so that resends do not grow the table. */
async function deleteEarlierAttempts(tx: Tx, rows: readonly DeliveryRow[]): Promise<void> {
  const over = rows.filter((row) => row.earlierAttempts + row.attempts > MOST_ATTEMPTS_KEPT);
  if (over.length === 0) return;
  await tx
    .deleteFrom('attempts')
    .where('eventId', 'in', listOfColumn(tx, over, 'eventId'))
    .where('number', '<=', (row) =>
      row
        .selectFrom('deliveries')
        .select(sql<number>`deliveries.earlier_attempts + deliveries.attempts - ${MOST_ATTEMPTS_KEPT}`.as('last'))
        .whereRef('deliveries.eventId', '=', 'attempts.eventId'),
    )
    .execute();
}

/** The columns of a delivery that nobody is to get. */
export const DROPPED = { status: 'dropped', realDueAt: null, leaseOwner: null, leaseUntil: null, resend: 0 } as const;

/** Drops an owner's delivery without an attempt, because it no longer has a webhook URL. */
export async function dropDelivery(db: Queries, eventId: string, leaseOwner: string): Promise<void> {
  await db.updateTable('deliveries').set(DROPPED).where(equal({ eventId, leaseOwner })).execute();
}
