import { insertIfAbsent } from './on-conflict.ts';
import type { Queries, SigningKeyRow } from './schema.ts';

/** Latest first. */
export async function listSigningKeys(db: Queries): Promise<Readonly<SigningKeyRow>[]> {
  return db.selectFrom('signingKeys').selectAll().orderBy('number', 'desc').execute();
}

/** Adds a key, unless another process has already added one with this number. @returns whether it was added */
export function insertSigningKeyIfAbsent(db: Queries, key: SigningKeyRow): Promise<boolean> {
  return insertIfAbsent(db, 'signingKeys', key);
}

export async function deleteSigningKeysBefore(db: Queries, number: number): Promise<void> {
  await db.deleteFrom('signingKeys').where('number', '<', number).execute();
}
