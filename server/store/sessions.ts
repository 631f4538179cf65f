import type { Queries, SessionRow } from './schema.ts';
import { namesOf, type SignInTables } from './sign-in-tables.ts';

/** An account's sign-in in one browser. Only the token's hash is stored. Times are real, in milliseconds UTC. */
export type Session = Readonly<SessionRow>;

/**
 * Sign-ins of an account that last. Its pages read them all, and so does the end of an application's access.
 * @beyond the oldest one is signed out
 * @heldBy tests/store/sign-in.test.ts
 */
const MOST_SESSIONS = 100;

/** Inserts a session, and ends the oldest of too many. */
export async function insertSession(db: Queries, tables: SignInTables, session: Session): Promise<void> {
  const { sessions } = namesOf(tables);
  await db.insertInto(sessions).values(session).execute();
  const older = await db
    .selectFrom(sessions)
    .select('tokenHash')
    .where('accountId', '=', session.accountId)
    .orderBy('signedInAt', 'desc')
    .orderBy('tokenHash', 'desc')
    // more than one: sign-ins that meet do not see each other
    .limit(50)
    .offset(MOST_SESSIONS)
    .execute();
  for (const { tokenHash } of older) await deleteSession(db, tables, tokenHash);
}

/** Returns expired sessions too. */
export async function findSession(db: Queries, tables: SignInTables, tokenHash: string): Promise<Session | undefined> {
  const { sessions } = namesOf(tables);
  return db.selectFrom(sessions).selectAll().where('tokenHash', '=', tokenHash).executeTakeFirst();
}

/** Deletes a session and its unused decisions. @returns the account's id; null if there was no such session */
export async function deleteSession(db: Queries, tables: SignInTables, tokenHash: string): Promise<string | null> {
  if (tables.decisions !== null) await db.deleteFrom(tables.decisions).where('sessionHash', '=', tokenHash).execute();
  const session = db.deleteFrom(namesOf(tables).sessions).where('tokenHash', '=', tokenHash);
  const deleted = await session.returning('accountId').executeTakeFirst();
  return deleted?.accountId ?? null;
}

/**
 * Signs an account out everywhere: deletes its sessions with their unused decisions, and forgets its browsers. A
 * password change calls it in the same transaction.
 */
export async function deleteSignIns(
  db: Queries,
  tables: SignInTables,
  accountId: string,
  exceptHash: string | null = null,
): Promise<void> {
  const { sessions, devices } = namesOf(tables);
  const ending = db
    .selectFrom(sessions)
    .select('tokenHash')
    .where('accountId', '=', accountId)
    .$if(exceptHash !== null, (query) => query.where('tokenHash', '<>', exceptHash));
  if (tables.decisions !== null) await db.deleteFrom(tables.decisions).where('sessionHash', 'in', ending).execute();
  await db.deleteFrom(sessions).where('tokenHash', 'in', ending).execute();
  await db.deleteFrom(devices).where('accountId', '=', accountId).execute();
}

export async function sessionsOf(
  db: Queries,
  tables: SignInTables,
  accountId: string,
  { at, limit }: { readonly at: number; readonly limit: number },
): Promise<readonly Session[]> {
  return db
    .selectFrom(namesOf(tables).sessions)
    .selectAll()
    .where('accountId', '=', accountId)
    .where('expiresAt', '>', at)
    .orderBy('signedInAt', 'desc')
    .orderBy('tokenHash', 'desc')
    .limit(limit)
    .execute();
}
