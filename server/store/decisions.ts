import type { Queries } from './schema.ts';
import { scopesIn, scopeText } from './scope-text.ts';

/** What a passenger who is signed in said to an application's request. It waits to be taken to the application, once. */
export interface Decision {
  readonly sessionHash: string;
  readonly requestHash: string;
  /** What was granted; null when the request was denied. */
  readonly scopes: readonly string[] | null;
  /** Real milliseconds UTC. */
  readonly decidedAt: number;
}

/** Keeps a decision in the place of an earlier one of the same session about the same request. */
export async function saveDecision(db: Queries, decision: Decision): Promise<void> {
  const scopes = decision.scopes && scopeText(decision.scopes);
  await db
    .insertInto('decisions')
    .values({ ...decision, scopes })
    .onConflict((conflict) =>
      conflict.columns(['sessionHash', 'requestHash']).doUpdateSet({ scopes, decidedAt: decision.decidedAt }),
    )
    .execute();
}

/** Deletes a decision. @returns it to the one caller who takes it first, undefined to every other */
export async function takeDecision(
  db: Queries,
  sessionHash: string,
  requestHash: string,
): Promise<Decision | undefined> {
  const row = await db
    .deleteFrom('decisions')
    .where('sessionHash', '=', sessionHash)
    .where('requestHash', '=', requestHash)
    .returningAll()
    .executeTakeFirst();
  return row && { ...row, scopes: row.scopes === null ? null : scopesIn(row.scopes) };
}

/** Deletes the decisions that were made before an instant and that nobody came for. */
export async function forgetDecisions(db: Queries, before: number): Promise<void> {
  await db.deleteFrom('decisions').where('decidedAt', '<', before).execute();
}
