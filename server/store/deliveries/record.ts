import type { Transaction } from 'kysely';
import type { WorldClock } from '../../domain/worlds/clock.ts';
import { hasRowLocks } from '../dialect.ts';
import { realDueOf } from '../events.ts';
import type { AttemptRow, Database, DeliveryRow, DeliveryStatus, Queries } from '../schema.ts';
import { holdClocks } from '../worlds.ts';
import { onScheduleAnew } from './resend.ts';

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
  const rows = await holdDeliveries(
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
async function holdDeliveries(
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
