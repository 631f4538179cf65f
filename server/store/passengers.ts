import type { Passenger } from '../domain/passenger.ts';
import { type Database, flag, type Queries } from './schema.ts';

/** @returns whether it was inserted; an existing passenger with this id or email address stays unchanged */
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

/** Finds a passenger who must exist, such as that of a token or a ride. Throws an Error when there is none. */
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
 * Copies a passenger to another world, without rides. Does nothing when the passenger exists there or is absent in the
 * first world. If another passenger there has the email address, the copy gets a new one.
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
  const copy = { ...passenger, worldId: toWorldId, hasTakenARide: false, createdAt };
  if (await insertPassengerIfAbsent(db, copy)) return;
  if ((await findPassenger(db, toWorldId, id)) !== undefined) return;
  await insertPassengerIfAbsent(db, { ...copy, email: await freeEmail(db, toWorldId, id) });
}

/** An unused email address in a world, made from an id. */
export async function freeEmail(db: Queries, worldId: string, id: string): Promise<string> {
  for (let n = 1; ; n++) {
    const email = `${id}${n === 1 ? '' : `.${n}`}@example.com`;
    if ((await findPassengerByEmail(db, worldId, email)) === undefined) return email;
  }
}

/**
 * Gives the passengers of a world their data in another world again, as if they had not taken a ride. Deletes, with
 * their tokens, those whom the other world does not have.
 * @param createdAt real milliseconds UTC
 */
export async function resetPassengers(
  db: Queries,
  worldId: string,
  otherWorldId: string,
  createdAt: number,
): Promise<void> {
  await db
    .deleteFrom('passengers')
    .where('worldId', '=', worldId)
    // not by a list of ids: the other world may have millions
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('passengers as other')
            .select('other.id')
            .where('other.worldId', '=', otherWorldId)
            .whereRef('other.id', '=', 'passengers.id'),
        ),
      ),
    )
    .execute();
  const copied = PASSENGER_COLUMNS.filter((column) => !NEW_IN_COPY.includes(column));
  await db
    .insertInto('passengers')
    .columns([...copied, ...NEW_IN_COPY])
    .expression(
      db
        .selectFrom('passengers')
        .select(copied)
        .select(({ val, lit, cast }) => [
          val(worldId).as('worldId'),
          lit(0).as('hasTakenARide'),
          // PostgreSQL would read a bare parameter as text
          cast(val(createdAt), 'bigint').as('createdAt'),
        ])
        .where('worldId', '=', otherWorldId)
        .where('id', 'in', db.selectFrom('passengers').select('id').where('worldId', '=', worldId))
        // an address that freeEmail made can be the live one of a passenger who signed up later
        .orderBy('passengers.createdAt')
        .orderBy('id'),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['worldId', 'id'])
        .doUpdateSet(({ ref }) =>
          Object.fromEntries(PASSENGER_COLUMNS.map((column) => [column, ref(`excluded.${column}`)])),
        ),
    )
    .execute();
}

/** What a sandbox can change about a passenger. */
export type PassengerTraits = Pick<
  Passenger,
  | 'firstName'
  | 'lastName'
  | 'phoneNumber'
  | 'phoneVerified'
  | 'paymentMethod'
  | 'accountDisabled'
  | 'driverMode'
  | 'businessProfile'
  | 'rating'
>;

/** @returns the updated passenger. Throws an Error when the world has no passenger with this id */
export async function updatePassenger(
  db: Queries,
  worldId: string,
  id: string,
  { phoneVerified, accountDisabled, driverMode, businessProfile, ...texts }: Partial<PassengerTraits>,
): Promise<Passenger> {
  const row = await db
    .updateTable('passengers')
    .set({
      ...texts,
      ...(phoneVerified !== undefined && { phoneVerified: flag(phoneVerified) }),
      ...(accountDisabled !== undefined && { accountDisabled: flag(accountDisabled) }),
      ...(driverMode !== undefined && { driverMode: flag(driverMode) }),
      ...(businessProfile !== undefined && { businessProfile: flag(businessProfile) }),
    })
    .where('worldId', '=', worldId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return toPassenger(row);
}

export async function markRideTaken(db: Queries, worldId: string, id: string): Promise<void> {
  await db
    .updateTable('passengers')
    .set({ hasTakenARide: 1 })
    .where('worldId', '=', worldId)
    .where('id', '=', id)
    .execute();
}

export type PassengerRow = Database['passengers'];

export const PASSENGER_COLUMNS = [
  'worldId',
  'id',
  'email',
  'passwordHash',
  'firstName',
  'lastName',
  'imageUrl',
  'rating',
  'phoneNumber',
  'phoneVerified',
  'paymentMethod',
  'accountDisabled',
  'driverMode',
  'businessProfile',
  'hasTakenARide',
  'createdAt',
] as const satisfies readonly (keyof PassengerRow)[];

const NEW_IN_COPY: readonly (keyof PassengerRow)[] = ['worldId', 'hasTakenARide', 'createdAt'];

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
