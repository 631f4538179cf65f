import { type EndedAttempt, failingSince } from '../../domain/webhooks/failing.ts';
import { hasRowLocks } from '../engine/dialect.ts';
import type { Tx } from '../schema.ts';

/** An application as this transaction sees it. */
export interface Receiver {
  readonly applicationId: string;
  readonly webhookFailingSince: number | null;
  /** Null: the application is deleted. */
  readonly verificationToken: string | null;
}

/**
 * Updates the time since which all of an application's live webhooks have failed, if these attempts change it. Skips an
 * application that another transaction is changing: this one must not wait for it, and the next attempt reports the
 * same state.
 */
export async function recordFailing(
  tx: Tx,
  { applicationId, webhookFailingSince: before, verificationToken }: Receiver,
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
        // a new URL comes with a new token and starts over
        .where('verificationToken', '=', verificationToken)
        .$if(hasRowLocks(tx), (query) => query.forNoKeyUpdate().skipLocked()),
    )
    .execute();
}
