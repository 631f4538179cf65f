import { isAmong, type ListParameter, listParameter } from './engine/dialect.ts';
import { prepared } from './engine/prepared.ts';
import { NO, YES } from './ride-rows.ts';
import type { Queries } from './schema.ts';

/**
 * Drivers who have an active ride, or whose last ride ended after `since` (world time). @param among absent: all
 * drivers
 */
export async function busyDriverIds(
  db: Queries,
  worldId: string,
  since: number,
  among?: readonly string[],
): Promise<Set<string>> {
  const { rows } = await (among === undefined
    ? busyQuery(db, { worldId, since })
    : busyAmongQuery(db, { worldId, since, among: listParameter(db, among) }));
  return new Set(rows.map((row) => row.driverId!));
}

interface Busy {
  readonly worldId: string;
  readonly since: number;
}

const busyQuery = prepared((db, { worldId, since }: Busy) => busyOf(driversIn(db, worldId), since));
const busyAmongQuery = prepared((db, { worldId, since, among }: Busy & { readonly among: ListParameter }) =>
  busyOf(driversIn(db, worldId).where(isAmong(db, 'driverId', among)), since),
);

function driversIn(db: Queries, worldId: string) {
  return db.selectFrom('rides').select('driverId').where('worldId', '=', worldId).where('driverId', 'is not', null);
}

function busyOf(drivers: ReturnType<typeof driversIn>, since: number) {
  return drivers.where('active', '=', YES).unionAll(drivers.where('active', '=', NO).where('finishedAt', '>', since));
}
