import type { Queries, SessionRow } from './schema.ts';

/** A passenger of the live world who is signed in, in one browser. Only the hash of its token is kept; instants are real milliseconds UTC. */
export type Session = Readonly<SessionRow>;

export async function insertSession(db: Queries, session: Session): Promise<void> {
  await db.insertInto('sessions').values(session).execute();
}

/** Expired ones too. */
export async function findSession(db: Queries, tokenHash: string): Promise<Session | undefined> {
  return db.selectFrom('sessions').selectAll().where('tokenHash', '=', tokenHash).executeTakeFirst();
}

/** Deletes a session, and with it the decisions that were made in it and not yet taken. */
export async function deleteSession(db: Queries, tokenHash: string): Promise<void> {
  await db.deleteFrom('decisions').where('sessionHash', '=', tokenHash).execute();
  await db.deleteFrom('sessions').where('tokenHash', '=', tokenHash).execute();
}

/** Deletes the sessions that have expired at an instant. */
export async function deleteExpiredSessions(db: Queries, at: number): Promise<void> {
  await db.deleteFrom('sessions').where('expiresAt', '<=', at).execute();
}
