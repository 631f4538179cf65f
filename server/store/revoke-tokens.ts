import type { WorldKind } from '../domain/worlds/clock.ts';
import { LIVE_WORLD } from '../domain/worlds/live.ts';
import type { Queries } from './schema.ts';
import type { AccessToken, RefreshToken } from './tokens.ts';

/** Revokes every token issued for a code, and the tokens issued from those. */
export async function revokeByCode(db: Queries, codeHash: string, at: number): Promise<void> {
  const given = await db
    .updateTable('refreshTokens')
    .set({ revokedAt: at })
    .where('codeHash', '=', codeHash)
    .where('revokedAt', 'is', null)
    .returning('tokenHash')
    .execute();
  for (const { tokenHash } of given) await revokeIssuedFrom(db, tokenHash, at);
  await db
    .updateTable('accessTokens')
    .set({ revokedAt: at })
    .where('codeHash', '=', codeHash)
    .where('revokedAt', 'is', null)
    .execute();
}

/** The passenger whose token was revoked; null for a client token. */
export type Revoked = Pick<AccessToken, 'passengerId'>;

/**
 * Revokes an application's refresh token, its successors, and the access tokens issued from them. Does nothing when the
 * token belongs to another application or is already revoked.
 * @param tokenHash hash of the family's first token
 * @param isFirst false: a later token of the family was presented, so nothing happens if there was no rotation
 * @param worldKind the kind of world that the token acts in
 * @returns the token's passenger; null if nothing was revoked
 */
export async function revokeRefreshToken(
  db: Queries,
  {
    tokenHash,
    applicationId,
    isFirst,
  }: Pick<RefreshToken, 'tokenHash' | 'applicationId'> & { readonly isFirst: boolean },
  worldKind: WorldKind,
  at: number,
): Promise<Revoked | null> {
  // no read first: two transactions that both hold a share lock on the row would deadlock here
  const revoked = await db
    .updateTable('refreshTokens')
    .set({ revokedAt: at })
    .where('tokenHash', '=', tokenHash)
    .where('applicationId', '=', applicationId)
    .where('worldId', worldKind === 'live' ? '=' : '<>', LIVE_WORLD.id)
    .where('revokedAt', 'is', null)
    .$if(!isFirst, (query) => query.where('currentHash', 'is not', null))
    .returning('passengerId')
    .executeTakeFirst();
  if (revoked === undefined) return null;
  await revokeIssuedFrom(db, tokenHash, at);
  return revoked;
}

/**
 * Revokes a single access token. Does nothing when it belongs to another application.
 * @returns the token's passenger; null if nothing was revoked
 */
export async function revokeAccessToken(
  db: Queries,
  { tokenHash, applicationId }: Pick<AccessToken, 'tokenHash' | 'applicationId'>,
  worldKind: WorldKind,
  at: number,
): Promise<Revoked | null> {
  const revoked = await db
    .updateTable('accessTokens')
    .set({ revokedAt: at })
    .where('tokenHash', '=', tokenHash)
    .where('applicationId', '=', applicationId)
    .where('worldId', worldKind === 'live' ? '=' : '<>', LIVE_WORLD.id)
    .where('revokedAt', 'is', null)
    .returning('passengerId')
    .executeTakeFirst();
  return revoked ?? null;
}

async function revokeIssuedFrom(db: Queries, refreshTokenHash: string, at: number): Promise<void> {
  await db
    .updateTable('accessTokens')
    .set({ revokedAt: at })
    .where('refreshTokenHash', '=', refreshTokenHash)
    .where('revokedAt', 'is', null)
    .execute();
}
