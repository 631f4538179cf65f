import type { Passenger } from '../domain/passengers/passenger.ts';
import { type Database, flag, type Queries } from './schema.ts';

/** @returns whether it is new; whoever has that id or email address in that world already stays as they are */
export async function insertPassengerIfAbsent(db: Queries, passenger: Passenger): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('passengers')
    .values(toRow(passenger))
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export async function findPassenger(db: Queries, worldId: string, id: string): Promise<Passenger | undefined> {
  const row = await db
    .selectFrom('passengers')
    .selectAll()
    .where('worldId', '=', worldId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && toPassenger(row);
}

/** The passenger of a token or a ride, who does not go away before it. Throws an Error when the world has none of that id. */
export async function knownPassenger(db: Queries, worldId: string, id: string): Promise<Passenger> {
  const passenger = await findPassenger(db, worldId, id);
  if (passenger === undefined) throw new Error(`World ${worldId} has no passenger ${id}`);
  return passenger;
}

/** @param email in lower case */
export async function findPassengerByEmail(
  db: Queries,
  worldId: string,
  email: string,
): Promise<Passenger | undefined> {
  const row = await db
    .selectFrom('passengers')
    .selectAll()
    .where('worldId', '=', worldId)
    .where('email', '=', email)
    .executeTakeFirst();
  return row && toPassenger(row);
}

/**
 * Makes a passenger known in another world, as one who has not ridden there yet; does nothing where they are known, or
 * when the first world does not know them.
 *
 * @param createdAt real milliseconds UTC
 */
export async function copyPassengerToWorld(
  db: Queries,
  fromWorldId: string,
  toWorldId: string,
  id: string,
  createdAt: number,
): Promise<void> {
  const passenger = await findPassenger(db, fromWorldId, id);
  if (!passenger) return;
  await insertPassengerIfAbsent(db, { ...passenger, worldId: toWorldId, hasTakenARide: false, createdAt });
}

export async function markRideTaken(db: Queries, worldId: string, id: string): Promise<void> {
  await db
    .updateTable('passengers')
    .set({ hasTakenARide: 1 })
    .where('worldId', '=', worldId)
    .where('id', '=', id)
    .execute();
}

type PassengerRow = Database['passengers'];

function toRow(passenger: Passenger): PassengerRow {
  return {
    ...passenger,
    phoneVerified: flag(passenger.phoneVerified),
    accountDisabled: flag(passenger.accountDisabled),
    driverMode: flag(passenger.driverMode),
    businessProfile: flag(passenger.businessProfile),
    hasTakenARide: flag(passenger.hasTakenARide),
  };
}

function toPassenger(row: PassengerRow): Passenger {
  return {
    ...row,
    phoneVerified: row.phoneVerified === 1,
    accountDisabled: row.accountDisabled === 1,
    driverMode: row.driverMode === 1,
    businessProfile: row.businessProfile === 1,
    hasTakenARide: row.hasTakenARide === 1,
  };
}
