import { hasRowLocks } from './engine/dialect.ts';
import { insertIfAbsent } from './on-conflict.ts';
import type { DeveloperRow, Page, Queries } from './schema.ts';

/** A person who owns applications and signs in to the portal. Times are real, in milliseconds UTC. */
export type Developer = Readonly<DeveloperRow>;

/** @returns whether it was inserted; an existing developer with this id or email stays unchanged */
export function insertDeveloperIfAbsent(db: Queries, developer: Developer): Promise<boolean> {
  return insertIfAbsent(db, 'developers', developer);
}

export async function findDeveloper(db: Queries, id: string): Promise<Developer | undefined> {
  return db.selectFrom('developers').selectAll().where('id', '=', id).executeTakeFirst();
}

/** @param email in lower case */
export async function findDeveloperByEmail(db: Queries, email: string): Promise<Developer | undefined> {
  return db.selectFrom('developers').selectAll().where('email', '=', email).executeTakeFirst();
}

/** Oldest first. */
export async function listDevelopers(db: Queries, { limit, after }: Page): Promise<readonly Developer[]> {
  const all = db.selectFrom('developers').selectAll().orderBy('id').limit(limit);
  return (after === null ? all : all.where('id', '>', after)).execute();
}

/** Locks a developer until the transaction ends. @returns the password hash; undefined if there is no such developer */
export async function holdDeveloper(db: Queries, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('developers')
    .select('passwordHash')
    .where('id', '=', id)
    .$if(hasRowLocks(db), (query) => query.forUpdate())
    .executeTakeFirst();
  return row?.passwordHash;
}

/**
 * @param before the expected current hash; nothing changes if the password has another one. @returns whether it changed
 */
export async function changeDeveloperPassword(
  db: Queries,
  id: string,
  { before, after }: { readonly before?: string; readonly after: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('developers')
    .set({ passwordHash: after })
    .where('id', '=', id)
    .$if(before !== undefined, (query) => query.where('passwordHash', '=', before!))
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Deletes only the row. Do not delete a developer who owns an application. */
export async function deleteDeveloper(db: Queries, id: string): Promise<void> {
  await db.deleteFrom('developers').where('id', '=', id).execute();
}
