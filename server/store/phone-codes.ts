import { type ExpressionBuilder, sql } from 'kysely';
import { LIVE_WORLD } from '../domain/worlds/live.ts';
import { equal } from './equal.ts';
import type { Flag } from './flag.ts';
import { HASH_AFTER_LEAVING } from './passengers.ts';
import type { Database, PhoneCodeRow, Queries, Tx } from './schema.ts';

const worldId = LIVE_WORLD.id;

/** A code sent to a passenger of the live world. Only its hash is stored. Times are real, in milliseconds UTC. */
export type PhoneCode = Readonly<Omit<PhoneCodeRow, 'worldId' | 'tries'>>;

/** The code was used or replaced after it was read, or the phone number changed. */
export class CodeUsed extends Error {
  override readonly name = 'CodeUsed';
}

/**
 * Sets a passenger's phone number and replaces their code. The number stays verified only if it is unchanged and was
 * verified before. @returns whether the passenger exists and has not left
 */
export async function savePhoneCode(tx: Tx, code: PhoneCode): Promise<boolean> {
  const { passengerId, phoneNumber, codeHash, expiresAt } = code;
  const { numUpdatedRows } = await tx
    .updateTable('passengers')
    .set({
      phoneNumber,
      phoneVerified: sql<Flag>`case when phone_number = ${phoneNumber} then phone_verified else 0 end`,
    })
    .where(equal({ worldId, id: passengerId }))
    .where('passwordHash', '<>', HASH_AFTER_LEAVING)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return false;
  const fresh = { phoneNumber, codeHash, expiresAt, tries: 0 };
  await tx
    .insertInto('phoneCodes')
    .values({ worldId, passengerId, ...fresh })
    .onConflict((conflict) => conflict.columns(['worldId', 'passengerId']).doUpdateSet(fresh))
    .execute();
  return true;
}

interface Usable {
  readonly at: number;
  readonly mostTries: number;
}

function isUsable(passengerId: string, { at, mostTries }: Usable) {
  return (row: ExpressionBuilder<Database, 'phoneCodes'>) =>
    row.and([equal({ worldId, passengerId })(row), row('tries', '<', mostTries), row('expiresAt', '>', at)]);
}

/** A code that has attempts left; undefined if there is none. */
export async function findPhoneCode(db: Queries, id: string, usable: Usable): Promise<PhoneCodeRow | undefined> {
  return db.selectFrom('phoneCodes').selectAll().where(isUsable(id, usable)).executeTakeFirst();
}

/**
 * Counts an attempt and returns the code to compare with; undefined when no attempt is left. Every concurrent attempt
 * counts.
 */
export async function takeCodeTry(db: Queries, id: string, usable: Usable): Promise<PhoneCodeRow | undefined> {
  return db
    .updateTable('phoneCodes')
    .set((code) => ({ tries: code('tries', '+', 1) }))
    .where(isUsable(id, usable))
    .returningAll()
    .executeTakeFirst();
}

/** Verifies the number that a code was sent to, and deletes the code. Throws CodeUsed unless both are still current. */
export async function verifyPhone(
  tx: Tx,
  { passengerId, phoneNumber, codeHash }: Pick<PhoneCode, 'passengerId' | 'phoneNumber' | 'codeHash'>,
): Promise<void> {
  // passenger first, as in savePhoneCode, so that two transactions never deadlock
  const { numUpdatedRows } = await tx
    .updateTable('passengers')
    .set({ phoneVerified: 1 })
    .where(equal({ worldId, id: passengerId, phoneNumber }))
    .executeTakeFirstOrThrow();
  // a separate statement: inside the update, PostgreSQL would check the state from before it waited for the row
  const used = await tx
    .deleteFrom('phoneCodes')
    .where(equal({ worldId, passengerId, codeHash }))
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n || used.numDeletedRows === 0n) throw new CodeUsed();
}

/** Deletes a passenger's code and the number it was sent to. */
export async function deletePhoneCode(db: Queries, passengerId: string): Promise<void> {
  await db.deleteFrom('phoneCodes').where(equal({ worldId, passengerId })).execute();
}
