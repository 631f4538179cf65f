import type { Queries, SessionRow } from './schema.ts';
import { MOST_ROWS_SWEPT_AT_ONCE } from './tokens.ts';

/**
 * A live-world passenger's sign-in in one browser. Only the token's hash is stored. Instants are real milliseconds UTC.
 */
export type Session = Readonly<SessionRow>;

export async function insertSession(db: Queries, session: Session): Promise<void> {
  await db.insertInto('sessions').values(session).execute();
}

/** Returns expired sessions too. */
export async function findSession(db: Queries, tokenHash: string): Promise<Session | undefined> {
  return db.selectFrom('sessions').selectAll().where('tokenHash', '=', tokenHash).executeTakeFirst();
}

/** Deletes a session and its decisions that were not taken. @returns whose session it was; null if there was none */
export async function deleteSession(db: Queries, tokenHash: string): Promise<string | null> {
  await db.deleteFrom('decisions').where('sessionHash', '=', tokenHash).execute();
  const deleted = await db
    .deleteFrom('sessions')
    .where('tokenHash', '=', tokenHash)
    .returning('passengerId')
    .executeTakeFirst();
  return deleted?.passengerId ?? null;
}

/**
 * Signs a passenger out everywhere: deletes their sessions with the decisions that were not taken, and forgets their
 * browsers. For a new password too, in its transaction.
 * @param exceptHash a session that stays; null for none
 */
export async function deleteSignIns(db: Queries, passengerId: string, exceptHash: string | null = null): Promise<void> {
  const ending = db
    .selectFrom('sessions')
    .select('tokenHash')
    .where('passengerId', '=', passengerId)
    .$if(exceptHash !== null, (query) => query.where('tokenHash', '<>', exceptHash));
  await db.deleteFrom('decisions').where('sessionHash', 'in', ending).execute();
  await db.deleteFrom('sessions').where('tokenHash', 'in', ending).execute();
  await db.deleteFrom('devices').where('passengerId', '=', passengerId).execute();
}

/** The latest sessions of a passenger that have not expired, the latest first. */
export async function sessionsOf(
  db: Queries,
  passengerId: string,
  { at, limit }: { readonly at: number; readonly limit: number },
): Promise<readonly Session[]> {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('passengerId', '=', passengerId)
    .where('expiresAt', '>', at)
    .orderBy('signedInAt', 'desc')
    .limit(limit)
    .execute();
}

/** Deletes some expired sessions. @returns how many; 0 when none is left */
export async function deleteExpiredSessions(db: Queries, at: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('tokenHash', 'in', (row) =>
      row.selectFrom('sessions').select('tokenHash').where('expiresAt', '<=', at).limit(MOST_ROWS_SWEPT_AT_ONCE),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
