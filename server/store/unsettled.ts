import { sql } from 'kysely';
import { flag } from './flag.ts';
import type { Queries, Tx } from './schema.ts';
import type { HeldWorld } from './worlds.ts';

/**
 * The work that remains after a change to a large world. `ridesAfter`: only rides of passengers with greater ids remain;
 * null: none.
 * @param world must be locked; otherwise a newer change could begin before the caller continues
 */
export async function findUnsettled(tx: Tx, { id }: HeldWorld) {
  const row = await tx
    .selectFrom('worlds')
    .select(['clockUnsettled', 'clockSettledTo', 'ridesUnsettledAfter'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const { clockUnsettled, clockSettledTo, ridesUnsettledAfter: ridesAfter } = row;
  return { clock: clockUnsettled === 1, clockSettledTo, ridesAfter };
}

/** Worlds that a crashed process left unsettled, and worlds that another process is settling. */
export async function unsettledWorldIds(db: Queries): Promise<string[]> {
  const rows = await db
    .selectFrom('worlds')
    .select('id')
    .where((row) => row.or([row('clockUnsettled', '=', sql.lit<1>(1)), row('ridesUnsettledAfter', 'is not', null)]))
    .execute();
  return rows.map(({ id }) => id);
}

/** @param after null: the timers of all rides are up to date */
export async function saveUnsettledRides(tx: Tx, worldId: string, after: string | null): Promise<void> {
  await tx
    .updateTable('worlds')
    .set({ ridesUnsettledAfter: after })
    .where('id', '=', worldId)
    .where('ridesUnsettledAfter', 'is distinct from', after)
    .execute();
}

/** @param settledTo null: the clock is settled */
export async function saveUnsettledClock(tx: Tx, worldId: string, settledTo: string | null): Promise<void> {
  await tx
    .updateTable('worlds')
    .set({ clockUnsettled: flag(settledTo !== null), clockSettledTo: settledTo })
    .where('id', '=', worldId)
    .execute();
}
