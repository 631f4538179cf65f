import { sql } from 'kysely';
import { deleteSome, deleteSomeTokens } from './delete-some.ts';
import { hasRowLocks, listOfColumn } from './engine/dialect.ts';
import { MOST_EVENTS_SWEPT_AT_ONCE } from './events.ts';
import type { DeletedApplicationRow, Queries, Tx } from './schema.ts';

/**
 * Deletes an application with its log. Its tokens, codes and consents become invalid and its deliveries stop
 * immediately, because every query joins the application. The sweep deletes these rows and the sandboxes later. Live
 * rides stay: they belong to the passengers.
 * @returns whether the application existed
 */
export async function deleteApplication(tx: Tx, id: string, realNow: number): Promise<boolean> {
  // first: a concurrent call that creates a sandbox holds this row, so the sweep sees every sandbox
  const { numDeletedRows } = await tx.deleteFrom('applications').where('id', '=', id).executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) return false;
  await tx.deleteFrom('applicationLog').where('applicationId', '=', id).execute();
  await tx
    .insertInto('deletedApplications')
    .values({ id, deletedAt: realNow })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ deletedAt: realNow }))
    .execute();
  return true;
}

/** Whether a deleted application with this id may still have data, such as tokens. */
export async function isDeletedApplication(db: Queries, id: string): Promise<boolean> {
  const row = await db.selectFrom('deletedApplications').select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}

/** Longest deleted first. */
export async function deletedApplications(db: Queries): Promise<readonly Readonly<DeletedApplicationRow>[]> {
  return db.selectFrom('deletedApplications').selectAll().orderBy('deletedAt').orderBy('id').execute();
}

export async function sandboxesLeftBy(db: Queries, applicationId: string): Promise<readonly string[]> {
  const worlds = db.selectFrom('worlds').select('id').where('applicationId', '=', applicationId);
  return (await worlds.orderBy('id').execute()).map(({ id }) => id);
}

/**
 * Deletes a batch of a deleted application's data outside its sandboxes: codes, tokens, consents and requests, then the events of
 * live rides with their deliveries and attempts.
 * @returns whether there may be more
 */
export async function deleteSomeLeftBy(tx: Tx, applicationId: string): Promise<boolean> {
  // worded as in the partial indexes, so that these queries can use them
  const isOf = () => sql<boolean>`application_id = ${applicationId} and application_id > ''`;
  const deleted =
    (await deleteSome(tx, 'authorizationCodes', ['codeHash'], isOf)) ||
    (await deleteSomeTokens(tx, isOf())) ||
    (await deleteSome(tx, 'consents', ['passengerId', 'applicationId'], isOf)) ||
    (await deleteSome(tx, 'requestBatches', ['applicationId', 'number'], isOf));
  return deleted > 0 || deleteSomeEvents(tx, applicationId);
}

/** Events of live rides. Sandbox events are deleted with their sandbox. */
async function deleteSomeEvents(tx: Tx, applicationId: string): Promise<boolean> {
  const events = await tx
    .selectFrom('events')
    .select('eventId')
    .where('applicationId', '=', applicationId)
    // worded as in the partial index, so that this query can use it
    .where(sql<boolean>`not (world_id <> 'live')`)
    .orderBy('occurredAt')
    .orderBy('eventId')
    .limit(MOST_EVENTS_SWEPT_AT_ONCE)
    .execute();
  if (events.length === 0) return false;
  const ids = listOfColumn(tx, events, 'eventId');
  // lock order: deliveries by id, then events; recording attempts locks in the same order
  if (hasRowLocks(tx)) {
    const deliveries = tx.selectFrom('deliveries').select('eventId').where('eventId', 'in', ids);
    await deliveries.orderBy('eventId').forUpdate().execute();
  }
  await tx.deleteFrom('events').where('eventId', 'in', ids).execute();
  return true;
}

/** Forgets a deleted application and frees its id. */
export async function forgetDeletedApplication(db: Queries, id: string): Promise<void> {
  await db.deleteFrom('deletedApplications').where('id', '=', id).execute();
}
