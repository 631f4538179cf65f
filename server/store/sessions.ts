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

/** Deletes a session and its decisions that were not taken. */
export async function deleteSession(db: Queries, tokenHash: string): Promise<void> {
  await db.deleteFrom('decisions').where('sessionHash', '=', tokenHash).execute();
  await db.deleteFrom('sessions').where('tokenHash', '=', tokenHash).execute();
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
