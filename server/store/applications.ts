import type { Transaction } from 'kysely';
import type { Application } from '../domain/application.ts';
import { type Database, flag, type Queries } from './schema.ts';

/** @returns whether it was inserted; an existing application with this id stays unchanged */
export async function insertApplicationIfAbsent(db: Queries, application: Application): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('applications')
    .values(application)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export async function findApplication(db: Queries, id: string): Promise<Application | undefined> {
  const row = await db.selectFrom('applications').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) return undefined;
  const { worldsMade: _, rotatesRefreshTokens: __, ...application } = row;
  return application;
}

/** Counts a new sandbox of an application. @returns how many it has made so far */
export async function countWorldMade(tx: Transaction<Database>, id: string): Promise<number> {
  const { worldsMade } = await tx
    .updateTable('applications')
    .set((row) => ({ worldsMade: row('worldsMade', '+', 1) }))
    .where('id', '=', id)
    .returning('worldsMade')
    .executeTakeFirstOrThrow();
  return worldsMade;
}

/** Whether each renewal by an application replaces its refresh token. */
export async function rotatesRefreshTokens(db: Queries, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('applications')
    .select('rotatesRefreshTokens')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return row.rotatesRefreshTokens === 1;
}

/** Takes effect with the next renewal. Refresh tokens that exist stay valid. */
export async function setRefreshTokenRotation(db: Queries, id: string, rotates: boolean): Promise<void> {
  await db
    .updateTable('applications')
    .set({ rotatesRefreshTokens: flag(rotates) })
    .where('id', '=', id)
    .execute();
}

export async function setRedirectUri(db: Queries, id: string, redirectUri: string): Promise<void> {
  await db.updateTable('applications').set({ redirectUri }).where('id', '=', id).execute();
}

export async function setSecrets(
  db: Queries,
  id: string,
  { liveSecretHash, sandboxSecretHash }: Pick<Application, 'liveSecretHash' | 'sandboxSecretHash'>,
): Promise<void> {
  await db.updateTable('applications').set({ liveSecretHash, sandboxSecretHash }).where('id', '=', id).execute();
}

/**
 * Sets the webhook URL and both signing keys, and keeps the previous keys. Sandboxes send to this URL too, so its
 * receiver before must know neither key.
 * @param url null: no webhooks
 * @param realNow milliseconds UTC
 */
export async function setWebhook(
  db: Queries,
  id: string,
  url: string | null,
  keys: Pick<Application, 'verificationToken' | 'sandboxVerificationToken'>,
  realNow: number,
): Promise<void> {
  await db
    .updateTable('applications')
    .set((row) => ({
      webhookUrl: url,
      ...keys,
      previousVerificationToken: row.ref('verificationToken'),
      verificationTokenChangedAt: realNow,
      previousSandboxVerificationToken: row.ref('sandboxVerificationToken'),
      sandboxVerificationTokenChangedAt: realNow,
    }))
    .where('id', '=', id)
    .execute();
}
