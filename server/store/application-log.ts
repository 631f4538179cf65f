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

/**
 * Latest first, with the developer's email. The email is null if an operator made the change or the developer's account
 * is deleted.
 */
export async function logOf(
  db: Queries,
  applicationId: string,
  { before, limit }: { readonly before: number | null; readonly limit: number },
): Promise<readonly (LogEntry & { readonly developerEmail: string | null })[]> {
  return db
    .selectFrom('applicationLog as entry')
    .leftJoin('developers', 'developers.id', 'entry.developerId')
    .selectAll('entry')
    .select('developers.email as developerEmail')
    .where('entry.applicationId', '=', applicationId)
    .$if(before !== null, (query) => query.where('entry.number', '<', before!))
    .orderBy('entry.number', 'desc')
    .limit(limit)
    .execute();
}
