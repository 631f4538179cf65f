import type { Queries } from './schema.ts';
import { scopesIn, scopeText } from './scope-text.ts';
import { MOST_ROWS_SWEPT_AT_ONCE } from './tokens.ts';

/** A signed-in passenger's decision about an authorization request. It can be used once. */
export interface Decision {
  readonly sessionHash: string;
  readonly requestHash: string;
  /** The granted scopes; null when the request was denied. */
  readonly scopes: readonly string[] | null;
  /** Real time, in milliseconds UTC. */
  readonly decidedAt: number;
}

/** Saves a decision. It replaces an earlier decision of the same session about the same request. */
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

/** Deletes and returns a decision; undefined when there is none or another call has taken it. */
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

/** Deletes a batch of unused decisions from before a given time. @returns how many; 0 when there are no more */
export async function forgetDecisions(db: Queries, before: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('decisions')
    .where((row) =>
      row(
        row.refTuple('sessionHash', 'requestHash'),
        'in',
        row
          .selectFrom('decisions')
          .select(['sessionHash', 'requestHash'])
          .where('decidedAt', '<', before)
          .limit(MOST_ROWS_SWEPT_AT_ONCE)
          .$asTuple('sessionHash', 'requestHash'),
      ),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
