import { sql } from 'kysely';
import type { WorldKind } from '../domain/worlds/clock.ts';
import { LIVE_WORLD } from '../domain/worlds/live.ts';
import { equal } from './equal.ts';
import type { Queries } from './schema.ts';
import type { AccessToken } from './tokens.ts';

type TokenTable = 'accessTokens' | 'refreshTokens';

/** Revokes tokens that are not revoked yet; the caller says which ones, by columns that both tables have. */
export function revoking(db: Queries, table: TokenTable, at: number) {
  return db
    .updateTable(table as 'accessTokens')
    .set({ revokedAt: at })
    .where('revokedAt', 'is', null);
}

/** Revokes every token issued for a code, and the tokens issued from those. */
export async function revokeByCode(db: Queries, codeHash: string, at: number): Promise<void> {
  const given = revoking(db, 'refreshTokens', at).where('codeHash', '=', codeHash).returning('tokenHash');
  for (const { tokenHash } of await given.execute()) await revokeIssuedFrom(db, tokenHash, at);
  await revoking(db, 'accessTokens', at).where('codeHash', '=', codeHash).execute();
}

/** The passenger whose token was revoked; null for a client token. */
export type Revoked = Pick<AccessToken, 'passengerId'>;

type OwnToken = Pick<AccessToken, 'tokenHash' | 'applicationId'>;

/**
 * Revokes an application's refresh token, its successors, and the access tokens issued from them. Does nothing when the
 * token belongs to another application or is already revoked.
 * @param tokenHash hash of the family's first token
 * @param isFirst false: a later token of the family was presented, so nothing happens if there was no rotation
 * @returns the token's passenger; null if nothing was revoked
 */
export async function revokeRefreshToken(
  db: Queries,
  { isFirst, ...token }: OwnToken & { readonly isFirst: boolean },
  worldKind: WorldKind,
  at: number,
): Promise<Revoked | null> {
  // no read first: two transactions that both hold a share lock on the row would deadlock here
  const revoked = await revokingOwn(db, 'refreshTokens', token, worldKind, at)
    .$if(!isFirst, (query) => query.where(sql.ref('currentHash'), 'is not', null))
    .executeTakeFirst();
  if (revoked === undefined) return null;
  await revokeIssuedFrom(db, token.tokenHash, at);
  return revoked;
}

/**
 * Revokes a single access token. Does nothing when it belongs to another application.
 * @returns the token's passenger; null if nothing was revoked
 */
export async function revokeAccessToken(
  db: Queries,
  token: OwnToken,
  worldKind: WorldKind,
  at: number,
): Promise<Revoked | null> {
  return (await revokingOwn(db, 'accessTokens', token, worldKind, at).executeTakeFirst()) ?? null;
}

function revokingOwn(
  db: Queries,
  table: TokenTable,
  { tokenHash, applicationId }: OwnToken,
  worldKind: WorldKind,
  at: number,
) {
  return revoking(db, table, at)
    .where(equal({ tokenHash, applicationId }))
    .where('worldId', worldKind === 'live' ? '=' : '<>', LIVE_WORLD.id)
    .returning('passengerId');
}

async function revokeIssuedFrom(db: Queries, refreshTokenHash: string, at: number): Promise<void> {
  await revoking(db, 'accessTokens', at).where('refreshTokenHash', '=', refreshTokenHash).execute();
}
