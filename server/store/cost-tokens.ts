import type { Queries } from './schema.ts';

/**
 * @param at world milliseconds UTC
 * @returns true to the one caller who uses the token first in its world, false to every other
 */
export async function useCostToken(db: Queries, worldId: string, id: string, at: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('usedCostTokens')
    .values({ worldId, id, usedAt: at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** The worlds in which cost tokens were used, as far as that is still remembered. */
export async function worldsOfUsedCostTokens(db: Queries): Promise<string[]> {
  const rows = await db.selectFrom('usedCostTokens').select('worldId').distinct().execute();
  return rows.map(({ worldId }) => worldId);
}

/**
 * Forgets the tokens of a world that were used before an instant.
 * @param before world milliseconds UTC; a token forgotten within its life could be used again
 */
export async function forgetUsedCostTokens(db: Queries, worldId: string, before: number): Promise<void> {
  await db.deleteFrom('usedCostTokens').where('worldId', '=', worldId).where('usedAt', '<', before).execute();
}
