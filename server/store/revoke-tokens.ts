import { sql } from 'kysely';
import type { WorldKind } from '../domain/worlds/clock.ts';
import { LIVE_WORLD } from '../domain/worlds/live.ts';
import { hashIs } from './equal.ts';
import type { Queries } from './schema.ts';
import type { AccessToken } from './tokens.ts';

/** Revokes refresh tokens, or access tokens by grant, that are not revoked yet. The caller says which ones. */
export function revoking(db: Queries, table: 'accessGrants' | 'refreshTokens', at: number) {
  return (
    db
      // the caller uses columns that both have
      .updateTable(table as 'accessGrants')
      .set({ revokedAt: at })
      .where('revokedAt', 'is', null)
  );
}

/** Revokes every token issued for a code, and the tokens issued from those. */
export async function revokeByCode(db: Queries, codeHash: string, at: number): Promise<void> {
  const given = revoking(db, 'refreshTokens', at)
    .where('codeHash', '=', codeHash)
    .returning(sql.ref<string>('tokenHash').as('tokenHash'));
  for (const { tokenHash } of await given.execute()) await revokeIssuedFrom(db, tokenHash, at);
  await revoking(db, 'accessGrants', at).where(hashIs('codeHash', codeHash)).execute();
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
  { isFirst, tokenHash, applicationId }: OwnToken & { readonly isFirst: boolean },
  worldKind: WorldKind,
  at: number,
): Promise<Revoked | null> {
  // no read first: two transactions that both hold a share lock on the row would deadlock here
  const revoked = await revoking(db, 'refreshTokens', at)
    .where(sql.ref('tokenHash'), '=', tokenHash)
    .where('applicationId', '=', applicationId)
    .where('worldId', worldKind === 'live' ? '=' : '<>', LIVE_WORLD.id)
    .returning('passengerId')
    .$if(!isFirst, (query) => query.where(sql.ref('currentHash'), 'is not', null))
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
  { tokenHash, applicationId }: OwnToken,
  worldKind: WorldKind,
  at: number,
): Promise<Revoked | null> {
  const grant = db.selectFrom('accessGrants').where('revokedAt', 'is', null).where('applicationId', '=', applicationId);
  const own = grant.where('worldId', worldKind === 'live' ? '=' : '<>', LIVE_WORLD.id);
  const revoked = await db
    .updateTable('issuedTokens')
    .set({ revokedAt: at })
    .where('tokenHash', '=', tokenHash)
    .where('revokedAt', 'is', null)
    // not a list of ids, for which SQLite reads all grants
    .where((row) => row.exists(own.select('id').where('id', '=', row.ref('grantId'))))
    .returning('grantId')
    .executeTakeFirst();
  if (revoked === undefined) return null;
  // not among `own`: another call may revoke or delete the grant meanwhile
  const holder = db.selectFrom('accessGrants').select('passengerId').where('id', '=', revoked.grantId);
  return (await holder.executeTakeFirst()) ?? null;
}

async function revokeIssuedFrom(db: Queries, refreshTokenHash: string, at: number): Promise<void> {
  await revoking(db, 'accessGrants', at).where(hashIs('refreshTokenHash', refreshTokenHash)).execute();
}
