import type { ExpressionBuilder } from 'kysely';
import type { Application, Environment } from '../domain/application.ts';
import type { Database, Queries } from './schema.ts';

/** Sets both secrets of an application with public credentials, and ends its previous secrets. */
export async function setSecrets(
  db: Queries,
  id: string,
  { liveSecretHash, sandboxSecretHash }: Pick<Application, 'liveSecretHash' | 'sandboxSecretHash'>,
): Promise<void> {
  await db
    .updateTable('applications')
    .set({
      ...{ liveSecretHash, previousLiveSecretHash: null, previousLiveSecretEndsAt: null },
      ...{ sandboxSecretHash, previousSandboxSecretHash: null, previousSandboxSecretEndsAt: null },
    })
    .where('id', '=', id)
    .execute();
}

/** A new secret of an application. */
export interface NewSecret {
  readonly hash: string;
  /** When the previous secret stops being valid, in real milliseconds UTC; null: immediately. */
  readonly previousEndsAt: number | null;
  /** The verification token changes with the secret. For a while, webhooks are also signed with the previous one. */
  readonly verificationToken: string;
}

/** @param realNow milliseconds UTC */
export async function replaceSecret(
  db: Queries,
  id: string,
  environment: Environment,
  { hash, previousEndsAt, verificationToken }: NewSecret,
  realNow: number,
): Promise<void> {
  await db
    .updateTable('applications')
    .set((row) =>
      environment === 'live'
        ? {
            liveSecretHash: hash,
            liveSecretMadeAt: realNow,
            previousLiveSecretHash: previousEndsAt === null ? null : row.ref('liveSecretHash'),
            previousLiveSecretEndsAt: previousEndsAt,
            ...liveKey(row, verificationToken, realNow),
          }
        : {
            sandboxSecretHash: hash,
            sandboxSecretMadeAt: realNow,
            previousSandboxSecretHash: previousEndsAt === null ? null : row.ref('sandboxSecretHash'),
            previousSandboxSecretEndsAt: previousEndsAt,
            ...sandboxKey(row, verificationToken, realNow),
          },
    )
    .where('id', '=', id)
    .execute();
}

type Columns = ExpressionBuilder<Database, 'applications'>;

/** A new verification token for live webhooks. For a while, webhooks are also signed with the previous one. */
function liveKey(row: Columns, verificationToken: string, changedAt: number) {
  return {
    verificationToken,
    previousVerificationToken: row.ref('verificationToken'),
    verificationTokenChangedAt: changedAt,
    webhookFailingSince: null,
  };
}

/** The same for sandbox webhooks. */
function sandboxKey(row: Columns, verificationToken: string, changedAt: number) {
  return {
    sandboxVerificationToken: verificationToken,
    previousSandboxVerificationToken: row.ref('sandboxVerificationToken'),
    sandboxVerificationTokenChangedAt: changedAt,
  };
}

/**
 * Sets a webhook URL and its verification token. For a while, webhooks are also signed with the previous one.
 * @param url null: no webhooks
 * @param realNow milliseconds UTC
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
    .set((row) =>
      environment === 'live'
        ? {
            webhookUrl: url,
            ...liveKey(row, verificationToken, realNow),
          }
        : {
            sandboxWebhookUrl: url,
            ...sandboxKey(row, verificationToken, realNow),
          },
    )
    .where('id', '=', id)
    .execute();
}
