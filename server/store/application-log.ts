import type { ApplicationLogRow, Queries, Tx } from './schema.ts';

/** Entries in the log of an application. @beyond the oldest one is deleted */
export const MOST_LOG_ENTRIES = 1000;

export type LogEntry = Readonly<ApplicationLogRow>;

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

/** Removes from the entries who made them, and from where. Those of operators name no one. */
export async function forgetOwner(tx: Tx, applicationId: string): Promise<void> {
  const entries = tx.updateTable('applicationLog').where('applicationId', '=', applicationId);
  await entries.set({ developerId: OTHER_DEVELOPER, network: null }).where('developerId', 'is not', null).execute();
  await entries.set({ detail: null }).where('action', '=', 'transfer_offered').execute();
}

/** Latest first. */
export async function logOf(
  db: Queries,
  applicationId: string,
  { before, limit }: { readonly before: number | null; readonly limit: number },
): Promise<readonly LogEntry[]> {
  return db
    .selectFrom('applicationLog')
    .selectAll()
    .where('applicationId', '=', applicationId)
    .$if(before !== null, (query) => query.where('number', '<', before!))
    .orderBy('number', 'desc')
    .limit(limit)
    .execute();
}
