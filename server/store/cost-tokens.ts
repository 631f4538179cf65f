import type { Queries } from './schema.ts';

/**
 * @param at world milliseconds UTC
 * @returns true for the first use of the token in its world, false for every later one
 */
export async function useCostToken(db: Queries, worldId: string, id: string, at: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('usedCostTokens')
    .values({ worldId, id, usedAt: at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** The worlds that still have rows of used cost tokens. */
export async function worldsOfUsedCostTokens(db: Queries): Promise<string[]> {
  const rows = await db.selectFrom('usedCostTokens').select('worldId').distinct().execute();
  return rows.map(({ worldId }) => worldId);
}

/**
 * Deletes the rows of tokens that were used in a world before an instant.
 * @param before world milliseconds UTC; a token whose row is deleted before it expires can be used again
 */
export async function forgetUsedCostTokens(db: Queries, worldId: string, before: number): Promise<void> {
  await db.deleteFrom('usedCostTokens').where('worldId', '=', worldId).where('usedAt', '<', before).execute();
}
