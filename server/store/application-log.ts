import { sql } from 'kysely';
import { LOG_ACTIONS, type LogAction, type LogEntry } from '../domain/application-log.ts';
import { type Erased, type Exported, fieldsThatAre, LOG_ENTRY_DATA } from '../domain/personal-data.ts';
import type { Queries, Tx } from './schema.ts';

/** Entries in the log of an application. @beyond the oldest one is deleted */
export const MOST_LOG_ENTRIES = 1000;

/** An entry with the fields that the owner sees. */
export type ShownLogEntry = Pick<LogEntry, Exported<typeof LOG_ENTRY_DATA>>;

/** Adds an entry. The caller must hold the application's lock: see holdApplication. */
export async function insertLogEntry(tx: Tx, entry: Omit<LogEntry, 'number'>): Promise<void> {
  const { latest } = await tx
    .selectFrom('applicationLog')
    .select((row) => row.fn.max('number').as('latest'))
    .where('applicationId', '=', entry.applicationId)
    .executeTakeFirstOrThrow();
  const number = Number(latest ?? 0) + 1;
  await tx
    .insertInto('applicationLog')
    .values({ ...entry, number })
    .execute();
  await tx
    .deleteFrom('applicationLog')
    .where('applicationId', '=', entry.applicationId)
    .where('number', '<=', number - MOST_LOG_ENTRIES)
    .execute();
}

/** A developer whom the log does not name. The IDs of developers are random, so no one has this one. */
export const OTHER_DEVELOPER = 'other';

/**
 * Removes from the entries who made them, from where, and the details that are not to be kept. Those of actions that a
 * newer server added are removed too, because this one cannot judge them.
 */
export async function forgetOwner(tx: Tx, applicationId: string): Promise<void> {
  await tx
    .updateTable('applicationLog')
    .set(
      (row) =>
        ({
          // null: an operator
          developerId: row.case().when('developerId', 'is not', null).then(OTHER_DEVELOPER).end(),
          network: null,
          detail: row.case().when('action', 'in', LOG_ACTIONS.kept).then(row.ref('detail')).end(),
        }) satisfies Record<Erased<typeof LOG_ENTRY_DATA>, unknown>,
    )
    .where('applicationId', '=', applicationId)
    .execute();
}

/** Removes a developer from the entries about offers to them. */
export async function forgetOffersTo(tx: Tx, developerId: string): Promise<void> {
  await tx
    .updateTable('applicationLog')
    .set({ detail: null })
    // a literal, as in the partial index, so that this query can use it
    .where('action', '=', sql.lit<LogAction>('transfer_offered'))
    .where('detail', '=', developerId)
    .execute();
}

/** Latest first. */
export async function logOf(
  db: Queries,
  applicationId: string,
  { before, limit }: { readonly before: number | null; readonly limit: number },
): Promise<readonly ShownLogEntry[]> {
  return db
    .selectFrom('applicationLog')
    .select(fieldsThatAre('exported', LOG_ENTRY_DATA))
    .where('applicationId', '=', applicationId)
    .$if(before !== null, (query) => query.where('number', '<', before!))
    .orderBy('number', 'desc')
    .limit(limit)
    .execute();
}
