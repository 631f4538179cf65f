import { deleteOldest, deleteSome } from './delete-some.ts';
import { equal } from './equal.ts';
import type { DecisionRow, Queries } from './schema.ts';
import { scopesIn } from './scope-text.ts';

/** A signed-in passenger's decision about an authorization request. It can be used once. */
export interface Decision extends Readonly<Omit<DecisionRow, 'scopes'>> {
  /** The granted scopes; null when the request was denied. */
  readonly scopes: readonly string[] | null;
}

/**
 * Decisions of a session that are not used yet.
 * @beyond the oldest is forgotten, and its page asks again
 * @heldBy tests/store/sign-in.test.ts
 */
export const MOST_DECISIONS = 10;

/** Saves a decision. It replaces an earlier decision of the same session about the same request. */
export async function saveDecision(db: Queries, decision: Decision): Promise<void> {
  const scopes = decision.scopes === null ? null : decision.scopes.join(' ');
  await db
    .insertInto('decisions')
    .values({ ...decision, scopes })
    .onConflict((conflict) =>
      conflict.columns(['sessionHash', 'requestHash']).doUpdateSet({ scopes, decidedAt: decision.decidedAt }),
    )
    .execute();
  const { sessionHash } = decision;
  await deleteOldest(db, 'decisions', ['sessionHash', 'requestHash'], 'decidedAt', { sessionHash }, MOST_DECISIONS);
}

/** Deletes and returns a decision; undefined when there is none or another call has taken it. */
export async function takeDecision(
  db: Queries,
  sessionHash: string,
  requestHash: string,
): Promise<Decision | undefined> {
  const row = await db
    .deleteFrom('decisions')
    .where(equal({ sessionHash, requestHash }))
    .returningAll()
    .executeTakeFirst();
  return row && { ...row, scopes: row.scopes === null ? null : scopesIn(row.scopes) };
}

export function forgetDecisions(db: Queries, before: number): Promise<number> {
  return deleteSome(db, 'decisions', ['sessionHash', 'requestHash'], (row) => row('decidedAt', '<', before));
}
