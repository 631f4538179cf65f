import type { WorldKind } from '../../domain/worlds/clock.ts';
import { hasRowLocks, listOfColumn } from '../engine/dialect.ts';
import { equal } from '../equal.ts';
import type { Queries } from '../schema.ts';
import { type DueDelivery, dueDeliveries, PENDING, toDueDelivery } from './due.ts';
import { foundForEach, freeDeliveries, keyOf, kindOf, type Lane } from './lanes.ts';

/** A claim on a delivery. When it expires, another worker may claim the delivery if it is still pending. */
export interface Lease {
  readonly realNow: number;
  readonly leaseMs: number;
  readonly owner: string;
}

export interface DeliveryClaim extends Lease {
  /** Where to look; deliveries of other lanes are ignored. */
  readonly lanes: readonly Lane[];
  readonly limit: number;
  /** Limit for each lane; `limit` if absent. */
  readonly limitPerLane?: number;
}

/** Claims due deliveries of some lanes, earliest first. Two workers never claim the same delivery. */
export async function claimDueDeliveries(db: Queries, claim: DeliveryClaim): Promise<DueDelivery[]> {
  const { realNow, leaseMs, owner, lanes, limit } = claim;
  if (lanes.length === 0) return [];
  const claimed = await db
    .with('due', () =>
      dueIn(db, claim, 'live')
        .unionAll(dueIn(db, claim, 'sandbox'))
        .orderBy('realDueAt')
        .limit(limit),
    )
    .updateTable('deliveries')
    .set({ leaseOwner: owner, leaseUntil: realNow + leaseMs })
    .where('eventId', 'in', (row) => row.selectFrom('due').select('due.eventId'))
    .returning('eventId')
    .execute();
  if (claimed.length === 0) return [];
  const rows = await dueDeliveries(db)
    .where('deliveries.eventId', 'in', listOfColumn(db, claimed, 'eventId'))
    .orderBy('deliveries.realDueAt')
    // orders deliveries that are due at the same time
    .orderBy('events.occurredAt')
    .execute();
  return rows.map(toDueDelivery);
}

/** The first due deliveries of each lane of a kind. */
function dueIn(db: Queries, { realNow, lanes, limit, limitPerLane = limit }: DeliveryClaim, kind: WorldKind) {
  const keys = lanes.flatMap((lane) => (kindOf(lane) === kind ? [keyOf(lane)] : []));
  const ofEach = freeDeliveries(kind, { realNow, until: realNow }, 'lane.value');
  const locked = ofEach.$if(hasRowLocks(db), (query) => query.forUpdate().skipLocked());
  return foundForEach(db, keys, locked, limitPerLane);
}

/**
 * Claims one delivery, due or not.
 * @returns false when another worker holds it, or when it is no longer pending
 */
export async function claimDelivery(db: Queries, eventId: string, lease: Lease): Promise<boolean> {
  const { realNow, leaseMs, owner } = lease;
  const { numUpdatedRows } = await db
    .updateTable('deliveries')
    .set({ leaseOwner: owner, leaseUntil: realNow + leaseMs })
    .where(equal({ eventId, status: PENDING }))
    .where((row) => row.or([row('leaseUntil', 'is', null), row('leaseUntil', '<=', realNow)]))
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Extends all leases of an owner. @param leaseUntil real milliseconds UTC */
export async function renewLeases(db: Queries, owner: string, leaseUntil: number): Promise<void> {
  await db.updateTable('deliveries').set({ leaseUntil }).where('eventId', 'in', heldBy(db, owner)).execute();
}

const UNLEASED = { leaseOwner: null, leaseUntil: null };

/** Releases all leases of an owner, so that others can claim the deliveries immediately. */
export async function releaseLeases(db: Queries, owner: string): Promise<void> {
  await db.updateTable('deliveries').set(UNLEASED).where('eventId', 'in', heldBy(db, owner)).execute();
}

/** Releases one delivery of an owner. Waits if a transaction is writing the row. */
export async function releaseDelivery(db: Queries, eventId: string, leaseOwner: string): Promise<void> {
  await db.updateTable('deliveries').set(UNLEASED).where(equal({ eventId, leaseOwner })).execute();
}

/** Releases all leases. Only safe while no worker runs: the owner of an SQLite file calls it at startup. */
export async function releaseAllLeases(db: Queries): Promise<void> {
  await db.updateTable('deliveries').set(UNLEASED).where('leaseOwner', 'is not', null).execute();
}

function heldBy(db: Queries, owner: string) {
  return (
    db
      .selectFrom('deliveries')
      .select('eventId')
      .where('leaseOwner', '=', owner)
      // skips rows that another transaction is writing: it may be recording the attempt, and the next call sees the row
      .$if(hasRowLocks(db), (query) => query.forUpdate().skipLocked())
  );
}
