import { sql } from 'kysely';
import { hasRowLocks } from '../dialect.ts';
import type { Queries } from '../schema.ts';
import { type DueDelivery, dueDeliveries, PENDING, toDueDelivery, withWaitingApplications } from './due.ts';

/** A claim on a delivery. When it ends, another worker may claim the delivery if it is still pending. */
export interface Lease {
  /** Real milliseconds UTC. */
  readonly realNow: number;
  readonly leaseMs: number;
  readonly owner: string;
}

export interface DeliveryClaim extends Lease {
  readonly limit: number;
  /** Limit for each application; `limit` if absent. */
  readonly limitPerApplication?: number;
  /** Applications to leave out. */
  readonly except: readonly string[];
}

/** Claims due deliveries, earliest first; none goes to two workers. One application's backlog slows no other. */
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
      // one query for each engine: SQLite has no lateral joins, and PostgreSQL would compare every pair
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
    // for deliveries that are due at the same time
    .orderBy('events.occurredAt')
    .execute();
  return rows.map(toDueDelivery);
}

/**
 * Claims one delivery, due or not.
 * @returns false when another worker holds it, or it is no longer pending
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

/** Extends all leases of an owner. @param leaseUntil real milliseconds UTC */
export async function renewLeases(db: Queries, owner: string, leaseUntil: number): Promise<void> {
  await db.updateTable('deliveries').set({ leaseUntil }).where('eventId', 'in', heldBy(db, owner)).execute();
}

/** Releases all leases of an owner, so that others can claim the deliveries at once. */
export async function releaseLeases(db: Queries, owner: string): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ leaseOwner: null, leaseUntil: null })
    .where('eventId', 'in', heldBy(db, owner))
    .execute();
}

/** Releases one delivery of an owner. Waits for a transaction that is writing the row. */
export async function releaseDelivery(db: Queries, eventId: string, owner: string): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ leaseOwner: null, leaseUntil: null })
    .where('eventId', '=', eventId)
    .where('leaseOwner', '=', owner)
    .execute();
}

/** Releases all leases. Only safe while no worker runs: the one owner of an SQLite file calls it at startup. */
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
      // skips rows that another transaction writes: it records the attempt, or the next call gets the row
      .$if(hasRowLocks(db), (query) => query.forUpdate().skipLocked())
  );
}
