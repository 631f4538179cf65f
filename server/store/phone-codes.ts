import type { Transaction } from 'kysely';
import { LIVE_WORLD } from '../domain/worlds/live.ts';
import { HASH_AFTER_LEAVING } from './passengers.ts';
import type { Database, Flag, PhoneCodeRow, Queries } from './schema.ts';
import { MOST_ROWS_SWEPT_AT_ONCE } from './tokens.ts';

/** A code that was sent to a passenger of the live world. Only its hash is stored. Instants are real milliseconds UTC. */
export type PhoneCode = Readonly<Omit<PhoneCodeRow, 'worldId' | 'tries'>>;

/** The code was used or replaced, or the number has changed, since it was read. */
export class CodeUsed extends Error {
  override readonly name = 'CodeUsed';
}

/**
 * Gives a passenger a phone number, which counts as verified only if it was theirs and verified before, and replaces
 * the code that they were sent. @returns whether the passenger exists and has not left
 */
export async function savePhoneCode(tx: Transaction<Database>, code: PhoneCode): Promise<boolean> {
  const { passengerId, phoneNumber, codeHash, expiresAt } = code;
  const { numUpdatedRows } = await tx
    .updateTable('passengers')
    .set(({ case: when, ref, lit }) => ({
      phoneNumber,
      phoneVerified: when()
        .when('phoneNumber', '=', phoneNumber)
        .then(ref('phoneVerified'))
        .else(lit(0))
        .end()
        .$castTo<Flag>(),
    }))
    .where('worldId', '=', LIVE_WORLD.id)
    .where('id', '=', passengerId)
    .where('passwordHash', '<>', HASH_AFTER_LEAVING)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return false;
  const fresh = { phoneNumber, codeHash, expiresAt, tries: 0 };
  await tx
    .insertInto('phoneCodes')
    .values({ worldId: LIVE_WORLD.id, passengerId, ...fresh })
    .onConflict((conflict) => conflict.columns(['worldId', 'passengerId']).doUpdateSet(fresh))
    .execute();
  return true;
}

/** A code that can still be tried; undefined without one. */
export async function findPhoneCode(
  db: Queries,
  passengerId: string,
  { at, mostTries }: { readonly at: number; readonly mostTries: number },
): Promise<PhoneCodeRow | undefined> {
  return db
    .selectFrom('phoneCodes')
    .selectAll()
    .where('worldId', '=', LIVE_WORLD.id)
    .where('passengerId', '=', passengerId)
    .where('tries', '<', mostTries)
    .where('expiresAt', '>', at)
    .executeTakeFirst();
}

/** Counts a try and returns the code to compare with; undefined when none is left. Concurrent tries all count. */
export async function takeCodeTry(
  db: Queries,
  passengerId: string,
  { at, mostTries }: { readonly at: number; readonly mostTries: number },
): Promise<PhoneCodeRow | undefined> {
  return db
    .updateTable('phoneCodes')
    .set((code) => ({ tries: code('tries', '+', 1) }))
    .where('worldId', '=', LIVE_WORLD.id)
    .where('passengerId', '=', passengerId)
    .where('tries', '<', mostTries)
    .where('expiresAt', '>', at)
    .returningAll()
    .executeTakeFirst();
}

/** Verifies the number that a code was sent to, and uses the code up. Throws CodeUsed unless both are still current. */
export async function verifyPhone(
  tx: Transaction<Database>,
  { passengerId, phoneNumber, codeHash }: Pick<PhoneCode, 'passengerId' | 'phoneNumber' | 'codeHash'>,
): Promise<void> {
  // the passenger first, as savePhoneCode does: no two transactions wait for each other
  const { numUpdatedRows } = await tx
    .updateTable('passengers')
    .set({ phoneVerified: 1 })
    .where('worldId', '=', LIVE_WORLD.id)
    .where('id', '=', passengerId)
    .where('phoneNumber', '=', phoneNumber)
    .executeTakeFirstOrThrow();
  // not a condition of the update: PostgreSQL would check it as it was before a wait for the row
  const used = await tx
    .deleteFrom('phoneCodes')
    .where('worldId', '=', LIVE_WORLD.id)
    .where('passengerId', '=', passengerId)
    .where('codeHash', '=', codeHash)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n || used.numDeletedRows === 0n) throw new CodeUsed();
}

/** Deletes the code that a passenger was sent, with the number that it was sent to. */
export async function deletePhoneCode(db: Queries, passengerId: string): Promise<void> {
  await db
    .deleteFrom('phoneCodes')
    .where('worldId', '=', LIVE_WORLD.id)
    .where('passengerId', '=', passengerId)
    .execute();
}

/** Deletes some expired codes. @returns how many; 0 when none is left */
export async function deleteExpiredPhoneCodes(db: Queries, at: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('phoneCodes')
    .where('passengerId', 'in', (row) =>
      row.selectFrom('phoneCodes').select('passengerId').where('expiresAt', '<=', at).limit(MOST_ROWS_SWEPT_AT_ONCE),
    )
    .where('expiresAt', '<=', at)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
