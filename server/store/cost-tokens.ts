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
