import type { Transaction } from 'kysely';
import { type EndedAttempt, failingSince } from '../../domain/webhooks/failing.ts';
import { hasRowLocks } from '../dialect.ts';
import type { Database } from '../schema.ts';

/** An application as the transaction sees it. */
export interface Receiving {
  readonly applicationId: string;
  readonly webhookFailingSince: number | null;
  /** Null: it is deleted. */
  readonly verificationToken: string | null;
}

/**
 * Saves since when none of an application's live webhooks has arrived, if these attempts change that. An application that
 * another transaction is changing stays as it is: nothing waits for it here, and its next attempt says the same.
 */
export async function recordFailing(
  tx: Transaction<Database>,
  { applicationId, webhookFailingSince: before, verificationToken }: Receiving,
  attempts: readonly EndedAttempt[],
): Promise<void> {
  const since = failingSince(before, attempts);
  if (since === before || verificationToken === null) return;
  await tx
    .updateTable('applications')
    .set({ webhookFailingSince: since })
    .where('id', 'in', (row) =>
      row
        .selectFrom('applications')
        .select('id')
        .where('id', '=', applicationId)
        // another URL has another token, and begins anew
        .where('verificationToken', '=', verificationToken)
        .$if(hasRowLocks(tx), (query) => query.forNoKeyUpdate().skipLocked()),
    )
    .execute();
}
