import type { DeviceRow, Queries } from './schema.ts';
import { namesOf, type SignInTables } from './sign-in-tables.ts';

/**
 * A browser that signed in to an account. It does not sign anyone in: it only distinguishes the owner's attempts from
 * strangers' attempts. Only the token's hash is stored. Times are real, in milliseconds UTC.
 */
export type Device = Readonly<DeviceRow>;

/**
 * Browsers that an account recognizes, more than one person uses.
 * @beyond the one that signed in longest ago is no longer recognized
 * @heldBy tests/store/sign-in.test.ts
 */
const MOST_DEVICES = 20;

/** Inserts a device and keeps only the latest devices of the account. */
export async function insertDevice(db: Queries, tables: SignInTables, device: Device): Promise<void> {
  const { devices } = namesOf(tables);
  await db.insertInto(devices).values(device).execute();
  await db
    .deleteFrom(devices)
    .where('accountId', '=', device.accountId)
    .where('tokenHash', 'not in', (row) =>
      row
        .selectFrom(devices)
        .select('tokenHash')
        .where('accountId', '=', device.accountId)
        .orderBy('signedInAt', 'desc')
        .orderBy('tokenHash', 'desc')
        .limit(MOST_DEVICES),
    )
    .execute();
}

/** Returns expired devices too. */
export async function findDevices(
  db: Queries,
  tables: SignInTables,
  tokenHashes: readonly string[],
): Promise<readonly Device[]> {
  if (tokenHashes.length === 0) return [];
  return db.selectFrom(namesOf(tables).devices).selectAll().where('tokenHash', 'in', tokenHashes).execute();
}

export async function devicesOf(db: Queries, tables: SignInTables, accountId: string): Promise<readonly Device[]> {
  return db
    .selectFrom(namesOf(tables).devices)
    .selectAll()
    .where('accountId', '=', accountId)
    .orderBy('signedInAt', 'desc')
    .execute();
}

export async function deleteDevice(db: Queries, tables: SignInTables, tokenHash: string): Promise<void> {
  await db.deleteFrom(namesOf(tables).devices).where('tokenHash', '=', tokenHash).execute();
}
