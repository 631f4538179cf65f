import type { ExpressionBuilder } from 'kysely';
import { type Application, type Environment, FIELDS } from '../domain/application.ts';
import { updateApplication } from './applications.ts';
import type { Database, Queries } from './schema.ts';

/** Sets both secrets of an application with public credentials, and ends its previous secrets. */
export function setSecrets(
  db: Queries,
  id: string,
  { liveSecretHash, sandboxSecretHash }: Pick<Application, 'liveSecretHash' | 'sandboxSecretHash'>,
): Promise<void> {
  return updateApplication(db, id, {
    ...{ liveSecretHash, previousLiveSecretHash: null, previousLiveSecretEndsAt: null },
    ...{ sandboxSecretHash, previousSandboxSecretHash: null, previousSandboxSecretEndsAt: null },
  });
}

export interface NewSecret {
  readonly hash: string;
  /** When the previous secret stops being valid, in real milliseconds UTC; null: immediately. */
  readonly previousEndsAt: number | null;
  /** The verification token changes with the secret. For a while, webhooks are also signed with the previous one. */
  readonly verificationToken: string;
}

export async function replaceSecret(
  db: Queries,
  id: string,
  environment: Environment,
  { hash, previousEndsAt, verificationToken }: NewSecret,
  realNow: number,
): Promise<void> {
  const { secretHash, secretMadeAt, previousSecretHash, previousSecretEndsAt } = FIELDS[environment];
  await db
    .updateTable('applications')
    .set((row) => ({
      [secretHash]: hash,
      [secretMadeAt]: realNow,
      [previousSecretHash]: previousEndsAt === null ? null : row.ref(secretHash),
      [previousSecretEndsAt]: previousEndsAt,
      ...newKey(row, environment, verificationToken, realNow),
    }))
    .where('id', '=', id)
    .execute();
}

/**
 * Sets a webhook URL and its verification token. For a while, webhooks are also signed with the previous one.
 * @param url null: no webhooks
 */
export async function setWebhook(
  db: Queries,
  id: string,
  environment: Environment,
  { url, verificationToken }: { readonly url: string | null; readonly verificationToken: string },
  realNow: number,
): Promise<void> {
  await db
    .updateTable('applications')
    .set((row) => ({
      [FIELDS[environment].webhookUrl]: url,
      ...newKey(row, environment, verificationToken, realNow),
    }))
    .where('id', '=', id)
    .execute();
}

/** A new verification token. Live webhooks with the new one do not fail yet. */
function newKey(
  row: ExpressionBuilder<Database, 'applications'>,
  environment: Environment,
  token: string,
  changedAt: number,
) {
  const { verificationToken, previousVerificationToken, verificationTokenChangedAt } = FIELDS[environment];
  return {
    [verificationToken]: token,
    [previousVerificationToken]: row.ref(verificationToken),
    [verificationTokenChangedAt]: changedAt,
    ...(environment === 'live' && { webhookFailingSince: null }),
  };
}
