import { sql } from 'kysely';
import { LIVE_WORLD } from '../../domain/worlds/live.ts';
import { hasRowLocks, listOf } from '../engine/dialect.ts';
import { equal } from '../equal.ts';
import type { EventPlace } from '../event-list.ts';
import type { Queries, Tx } from '../schema.ts';
import type { DeliveryRow, ResendRow } from '../webhook-rows.ts';
import { holdWorld } from '../worlds.ts';
import { detailsOf, eventIdOf, isWanted, type RangeEvent, readRange } from './range.ts';
import { noteUrl, onScheduleAnew } from './resend.ts';

/**
 * Events of a range that are being sent or wait for an earlier event of their ride. So new events of the application do
 * not wait behind the whole range, and the webhooks of others keep most of their rate: 0.86 of it with 100,000 events, on
 * SQLite, in bench/webhooks.ts.
 * @beyond further ones follow as these end
 * @heldBy tests/workers/resends.test.ts
 */
const MOST_IN_HAND = 24;

/** A literal, so that SQLite uses the partial index. */
const RUNNING = sql.lit<'running'>('running');

/**
 * Starts a resend, which is finished if there are no events. Throws a unique violation of `one_running_resend` if one in
 * another sandbox is running.
 * @returns null if one in this world is running
 */
export async function startResend(
  tx: Tx,
  found: Omit<ResendRow, 'afterAt' | 'afterId' | 'delivered' | 'failed' | 'endedAt' | 'state'>,
): Promise<Readonly<ResendRow> | null> {
  const { since, events, startedAt } = found;
  const state = events === 0 ? 'finished' : 'running';
  const endedAt = events === 0 ? startedAt : null;
  const resend: ResendRow = { ...found, afterAt: since, afterId: '', delivered: 0, failed: 0, state, endedAt };
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('resends')
    .values(resend)
    .onConflict((conflict) =>
      conflict.columns(['applicationId', 'worldId']).doUpdateSet(resend).where('resends.state', '!=', RUNNING),
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n ? resend : null;
}

/** The latest resend of an application in a world. */
export async function findResend(
  db: Queries,
  of: Pick<ResendRow, 'applicationId' | 'worldId'>,
): Promise<Readonly<ResendRow> | undefined> {
  return db.selectFrom('resends').selectAll().where(equal(of)).executeTakeFirst();
}

/** Whether one is running that would have to end first: in the live world, or in any sandbox of the application. */
export async function hasRunningResend(
  db: Queries,
  { applicationId, worldId }: Pick<ResendRow, 'applicationId' | 'worldId'>,
) {
  const running = db.selectFrom('resends').select('worldId').where('state', '=', RUNNING);
  const found = await running.where('applicationId', '=', applicationId).execute();
  return found.some((one) => (one.worldId === LIVE_WORLD.id) === (worldId === LIVE_WORLD.id));
}

export async function runningResends(db: Queries): Promise<readonly RunningResend[]> {
  const running = db.selectFrom('resends').select(['applicationId', 'worldId']).where('state', '=', RUNNING);
  return running.orderBy('applicationId').orderBy('worldId').execute();
}

export type RunningResend = Readonly<Pick<ResendRow, 'applicationId' | 'worldId'>>;

/** Ends a resend, if it is running. Events that are being sent keep their schedule. */
export async function cancelResend(
  tx: Tx,
  { applicationId, worldId }: Pick<ResendRow, 'applicationId' | 'worldId'>,
  realNow: number,
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('resends')
    .set({ state: 'canceled', endedAt: realNow })
    .where(equal({ applicationId, worldId, state: 'running' }))
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n) await setTurn(tx, await eventsInHand(tx, { applicationId, worldId }), 0);
}

/**
 * Continues the resend of an application: counts the events whose delivery has ended, takes further ones in hand, and
 * sends those before which no other event of their ride is in hand. Throws WorldGone.
 * @returns whether it has changed anything
 */
export async function continueResend(
  tx: Tx,
  { applicationId, worldId }: RunningResend,
  realNow: number,
): Promise<boolean> {
  const resend = await tx
    .selectFrom('resends')
    .selectAll()
    .where(equal({ applicationId, worldId }))
    .where('state', '=', RUNNING)
    .$if(hasRowLocks(tx), (query) => query.forUpdate().skipLocked())
    .executeTakeFirst();
  if (resend === undefined) return false;
  // lock order: world, then rides, then deliveries
  const { clock } = await holdWorld(tx, worldId === LIVE_WORLD.id ? LIVE_WORLD : { kind: 'sandbox', id: worldId });
  const inHand = await eventsInHand(tx, { applicationId, worldId });
  const ended = inHand.filter(({ turn, status }) => turn === 2 && status !== 'pending');
  const revoked = inHand.filter(({ turn, maySend }) => turn === 1 && !maySend);
  const kept = inHand.filter((event) => !ended.includes(event) && !revoked.includes(event));
  const room = MOST_IN_HAND - kept.length;
  const part = { after: { occurredAt: resend.afterAt, eventId: resend.afterId }, last: lastOf(resend) };
  const read = await readRange(tx, resend, part, room);
  const added = read.filter((row) => isWanted(row, resend));
  const waiting = [...kept.filter(({ turn }) => turn === 1), ...added];
  const busy = new Set(kept.flatMap(({ turn, rideId }) => (turn === 2 ? [rideId] : [])));
  const first = waiting.filter(({ rideId }) => !busy.has(rideId) && busy.add(rideId));
  const isSame = ended.length + revoked.length + first.length + read.length === 0 && kept.length > 0;
  if (isSame) return false;
  const ready = await holdRides(tx, worldId, first);
  await setTurn(tx, [...ended, ...revoked], 0);
  await setTurn(tx, added, 1);
  await setTurn(tx, ready, 2);
  await tx
    .updateTable('deliveries')
    .set((row) => ({
      ...onScheduleAnew({ attempts: 0, earlierAttempts: 0 }, clock, realNow),
      earlierAttempts: row('earlierAttempts', '+', row.ref('attempts')),
    }))
    .where('eventId', 'in', listOf(tx, ready.map(eventIdOf)))
    // one that the application has sent again itself keeps its schedule
    .where('status', '!=', 'pending')
    .execute();
  await noteUrl(tx, ready.map(eventIdOf));
  const isOver = kept.length + added.length === 0 && read.length < room;
  const { occurredAt: afterAt, eventId: afterId } = read.at(-1) ?? part.after;
  const delivered = ended.filter(({ status }) => status === 'delivered').length;
  await tx
    .updateTable('resends')
    .set({ afterAt, afterId, delivered: resend.delivered + delivered })
    .set({ failed: resend.failed + ended.length - delivered })
    .$if(isOver, (query) => query.set({ state: 'finished', endedAt: realNow }))
    .where(equal({ applicationId, worldId }))
    .execute();
  return true;
}

function lastOf({ lastAt, lastId }: ResendRow): EventPlace {
  return { occurredAt: lastAt, eventId: lastId };
}

async function setTurn(tx: Tx, events: readonly RangeEvent[], turn: DeliveryRow['turn']): Promise<void> {
  if (events.length === 0) return;
  await tx
    .updateTable('deliveries')
    .set({ turn })
    .where('eventId', 'in', listOf(tx, events.map(eventIdOf)))
    .execute();
}

/** Of some events, those whose ride can be locked against a revocation of access, until the transaction ends. */
async function holdRides(tx: Tx, worldId: string, events: readonly RangeEvent[]): Promise<readonly RangeEvent[]> {
  const rides = await tx
    .selectFrom('rides')
    .select('id')
    .where(equal({ worldId, silent: 0 }))
    .where(
      'id',
      'in',
      listOf(
        tx,
        events.map(({ rideId }) => rideId),
      ),
    )
    .$if(hasRowLocks(tx), (query) => query.forShare().skipLocked())
    .execute();
  const held = new Set(rides.map(({ id }) => id));
  return events.filter(({ rideId }) => held.has(rideId));
}

async function eventsInHand(tx: Tx, of: RunningResend): Promise<RangeEvent[]> {
  const inHand = tx.selectFrom('deliveries').select('eventId').where(equal(of));
  return detailsOf(tx, await inHand.where('turn', '>', 0).execute());
}
