import type { DeviceRow, Queries } from './schema.ts';
import { MOST_ROWS_SWEPT_AT_ONCE } from './tokens.ts';

/**
 * A browser in which a live-world passenger signed in. It signs nobody in, but its tries are told from those of strangers.
 * Only the token's hash is stored. Instants are real milliseconds UTC.
 */
export type Device = Readonly<DeviceRow>;

/** More browsers than anybody uses. */
const MOST_DEVICES = 20;

/** Keeps the latest devices of a passenger. */
export async function insertDevice(db: Queries, device: Device): Promise<void> {
  await db.insertInto('devices').values(device).execute();
  await db
    .deleteFrom('devices')
    .where('passengerId', '=', device.passengerId)
    .where('tokenHash', 'not in', (row) =>
      row
        .selectFrom('devices')
        .select('tokenHash')
        .where('passengerId', '=', device.passengerId)
        .orderBy('signedInAt', 'desc')
        .orderBy('tokenHash', 'desc')
        .limit(MOST_DEVICES),
    )
    .execute();
}

/** Returns expired devices too. */
export async function findDevices(db: Queries, tokenHashes: readonly string[]): Promise<readonly Device[]> {
  if (tokenHashes.length === 0) return [];
  return db.selectFrom('devices').selectAll().where('tokenHash', 'in', tokenHashes).execute();
}

/** All of a passenger, the latest first. */
export async function devicesOf(db: Queries, passengerId: string): Promise<readonly Device[]> {
  return db
    .selectFrom('devices')
    .selectAll()
    .where('passengerId', '=', passengerId)
    .orderBy('signedInAt', 'desc')
    .execute();
}

export async function deleteDevice(db: Queries, tokenHash: string): Promise<void> {
  await db.deleteFrom('devices').where('tokenHash', '=', tokenHash).execute();
}

/** Deletes some expired devices. @returns how many; 0 when none is left */
export async function deleteExpiredDevices(db: Queries, at: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('devices')
    .where('tokenHash', 'in', (row) =>
      row.selectFrom('devices').select('tokenHash').where('expiresAt', '<=', at).limit(MOST_ROWS_SWEPT_AT_ONCE),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
