import { sql } from 'kysely';
import type { Passenger } from '../domain/passenger.ts';
import { type PassengerTraits, type StandInWorld, standInOf, standInTraits } from '../domain/stand-in.ts';
import { LIVE_WORLD } from '../domain/worlds/live.ts';
import { hasRowLocks } from './engine/dialect.ts';
import { prepared } from './engine/prepared.ts';
import { equal } from './equal.ts';
import { flag, flagged } from './flag.ts';
import { excluded, insertIfAbsent } from './on-conflict.ts';
import type { Database, Page, Queries } from './schema.ts';

/** Password hash of a live passenger who has left but whose row remains. No password matches it. */
export const HASH_AFTER_LEAVING = 'none';

/** @returns whether it was inserted; an existing passenger with this id or email address stays unchanged */
export function insertPassengerIfAbsent(db: Queries, passenger: Passenger): Promise<boolean> {
  return insertIfAbsent(db, 'passengers', toRow(passenger));
}

export async function findPassenger(db: Queries, worldId: string, id: string): Promise<Passenger | undefined> {
  const { rows } = await passengerQuery(db, { worldId, id });
  return rows[0] && toPassenger(rows[0]);
}

const passengerQuery = prepared((db, { worldId, id }: Pick<PassengerRow, 'worldId' | 'id'>) =>
  db.selectFrom('passengers').select(PASSENGER_COLUMNS).where(equal({ worldId, id })),
);

/**
 * Whether a live passenger exists and has not left. Their account cannot be deleted before the transaction ends. Lock
 * order: passenger, then codes and tokens.
 */
export async function holdAccount(tx: Queries, id: string): Promise<boolean> {
  const row = await tx
    .selectFrom('passengers')
    .select('id')
    .where(equal({ worldId: LIVE_WORLD.id, id }))
    .where('passwordHash', '<>', HASH_AFTER_LEAVING)
    .$if(hasRowLocks(tx), (query) => query.forKeyShare())
    .executeTakeFirst();
  return row !== undefined;
}

/** The hash of a passenger's password, locked until the transaction ends; undefined if there is no such passenger. */
export async function holdPasswordHash(tx: Queries, worldId: string, id: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('passengers')
    .select('passwordHash')
    .where(equal({ worldId, id }))
    .$if(hasRowLocks(tx), (query) => query.forShare())
    .executeTakeFirst();
  return row?.passwordHash;
}

/** Finds a passenger who must exist, such as a token's or a ride's. Throws an Error when there is none. */
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
    .select(PASSENGER_COLUMNS)
    .where(equal({ worldId, email }))
    .executeTakeFirst();
  return row && toPassenger(row);
}

/** Passengers of a world, by descending id; live ids sort by time. */
export async function listPassengers(db: Queries, worldId: string, { limit, after }: Page): Promise<Passenger[]> {
  const all = db.selectFrom('passengers').select(PASSENGER_COLUMNS).where('worldId', '=', worldId);
  const rest = after === null ? all : all.where('id', '<', after);
  const rows = await rest.orderBy('id', 'desc').limit(limit).execute();
  return rows.map(toPassenger);
}

/**
 * Adds a live passenger's stand-in to a sandbox. The passenger must exist. Does nothing if the stand-in already exists.
 * If another passenger of the sandbox has the email address, the stand-in gets a different one.
 * @param createdAt real milliseconds UTC
 * @returns whether it was added
 */
export async function insertStandIn(
  db: Queries,
  world: StandInWorld,
  id: string,
  portrait: (id: string) => string,
  createdAt: number,
): Promise<boolean> {
  const standIn = standInOf(world, id, portrait, createdAt);
  if (await insertPassengerIfAbsent(db, standIn)) return true;
  if ((await findPassenger(db, world.id, id)) !== undefined) return false;
  return insertPassengerIfAbsent(db, { ...standIn, email: await freeEmail(db, world.id, id) });
}

/** An unused email address in a world, derived from an id. A client that knows the ID can take only a few in advance. */
export async function freeEmail(db: Queries, worldId: string, id: string): Promise<string> {
  for (let n = 1; ; n *= 2) {
    const email = `${id}${n === 1 ? '' : `.${n}`}@example.com`;
    if ((await findPassengerByEmail(db, worldId, email)) === undefined) return email;
  }
}

/**
 * Restores the initial data of a sandbox's stand-ins, as if they had never taken a ride. Deletes all other passengers
 * with their tokens.
 */
export async function resetPassengers(db: Queries, world: StandInWorld): Promise<void> {
  await db
    .deleteFrom('passengers')
    .where('worldId', '=', world.id)
    // not a list of ids: the live world may have millions
    .where(
      sql<boolean>`not exists (
        select 1 from passengers as other where other.world_id = ${LIVE_WORLD.id} and other.id = passengers.id
      )`,
    )
    .execute();
  await restoreStandIns(db, world);
}

/**
 * Restores the initial data of altered stand-ins.
 * @param most the most to restore; absent: all
 */
export async function restoreStandIns(db: Queries, world: StandInWorld, most?: number): Promise<void> {
  const altered = await db
    .selectFrom('passengers')
    .select(PASSENGER_COLUMNS)
    .where('worldId', '=', world.id)
    // a literal: with a bound parameter, SQLite does not use the partial index
    .where('altered', '=', sql.lit<1>(1))
    .$if(most !== undefined, (query) => query.limit(most!))
    .execute();
  if (altered.length === 0) return;
  const restored = altered.map((row) => toRow({ ...toPassenger(row), ...standInTraits(world, row.id) }));
  const columns = [...Object.keys(standInTraits(world, '')), 'altered'] as (keyof PassengerRow | 'altered')[];
  await db
    .insertInto('passengers')
    .values(restored)
    .onConflict((conflict) => conflict.columns(['worldId', 'id']).doUpdateSet(excluded(columns)))
    .execute();
}

/**
 * Changes a passenger of a sandbox. @returns the updated passenger. Throws an Error when the world has no such
 * passenger
 */
export async function updatePassenger(
  db: Queries,
  worldId: string,
  id: string,
  traits: Partial<PassengerTraits>,
): Promise<Passenger> {
  const row = await db
    .updateTable('passengers')
    .set({ ...flagged(traits), altered: flag(true) })
    .where(equal({ worldId, id }))
    .returning(PASSENGER_COLUMNS)
    .executeTakeFirstOrThrow();
  return toPassenger(row);
}

/** @returns whether the password was changed; false if `before` is no longer its hash */
export async function changePasswordHash(
  db: Queries,
  { worldId, id }: Pick<Passenger, 'worldId' | 'id'>,
  { before, after }: { readonly before: string; readonly after: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('passengers')
    .set({ passwordHash: after })
    .where(equal({ worldId, id, passwordHash: before }))
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** The sandboxes in which a passenger has a stand-in, except those of deleted applications. */
export async function standInsOf(db: Queries, liveWorldId: string, id: string) {
  return db
    .selectFrom('passengers')
    .innerJoin('worlds', 'worlds.id', 'passengers.worldId')
    .innerJoin('applications', 'applications.id', 'worlds.applicationId')
    .select(['passengers.worldId', 'worlds.applicationId', 'passengers.createdAt'])
    .where('passengers.id', '=', id)
    .where('passengers.worldId', '<>', liveWorldId)
    .orderBy('passengers.worldId')
    .execute();
}

/** Sets the payment method of a live passenger; null: none. Does nothing for a passenger who has left. */
export async function setPaymentMethod(db: Queries, id: string, paymentMethod: string | null): Promise<void> {
  await db
    .updateTable('passengers')
    .set({ paymentMethod })
    .where(equal({ worldId: LIVE_WORLD.id, id }))
    .where('passwordHash', '<>', HASH_AFTER_LEAVING)
    .execute();
}

export async function markRideTaken(db: Queries, worldId: string, id: string): Promise<void> {
  await db
    .updateTable('passengers')
    .set({ hasTakenARide: 1, altered: flag(worldId !== LIVE_WORLD.id) })
    .where(equal({ worldId, id }))
    .execute();
}

/** A passenger's columns, without those that only resets and sweeps need. */
export type PassengerRow = Omit<Database['passengers'], 'altered' | 'lastUsedAt'>;

// biome-ignore format: one column per line would fill a screen
export const PASSENGER_COLUMNS = [
  'worldId', 'id', 'email', 'passwordHash', 'firstName', 'lastName', 'imageUrl', 'rating', 'phoneNumber',
  'phoneVerified', 'paymentMethod', 'accountDisabled', 'driverMode', 'businessProfile', 'hasTakenARide',
  'createdAt',
] as const satisfies readonly (keyof PassengerRow)[];

function toRow(passenger: Passenger): Database['passengers'] {
  return { ...flagged(passenger), altered: flag(false), lastUsedAt: passenger.createdAt };
}

export function toPassenger(row: PassengerRow): Passenger {
  return {
    ...row,
    phoneVerified: row.phoneVerified === 1,
    accountDisabled: row.accountDisabled === 1,
    driverMode: row.driverMode === 1,
    businessProfile: row.businessProfile === 1,
    hasTakenARide: row.hasTakenARide === 1,
  };
}
