import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { MINUTE_MS } from '../domain/time.ts';
import { deleteOldest, deleteSome, HAS_NO_TOKENS, MOST_ROWS_SWEPT_AT_ONCE } from './delete-some.ts';
import { rowsOf } from './engine/changes.ts';
import { hasRowLocks, listOfColumn } from './engine/dialect.ts';
import { prepared } from './engine/prepared.ts';
import { equal, hashIs } from './equal.ts';
import type {
  AccessGrantRow,
  AccessTokenRow,
  AuthorizationCodeRow,
  IssuedTokenRow,
  Queries,
  RefreshTokenRow,
} from './schema.ts';
import { scopesIn } from './scope-text.ts';

// Only hashes are stored. Times are real, in milliseconds UTC.

// biome-ignore format: one column per line would fill a screen
export const ACCESS_TOKEN_COLUMNS = [
  'tokenHash', 'grantId', 'applicationId', 'passengerId', 'worldId', 'scopes', 'issuedAt', 'expiresAt',
  'refreshTokenHash', 'codeHash', 'revokedAt',
] as const satisfies readonly (keyof AccessTokenRow)[];

// biome-ignore format: one column per line would fill a screen
const REFRESH_TOKEN_COLUMNS = [
  'tokenHash', 'applicationId', 'passengerId', 'worldId', 'scopes', 'codeHash', 'issuedAt', 'lastUsedAt',
  'revokedAt', 'currentHash', 'previousHash', 'rotationSalt', 'rotatedAt',
] as const satisfies readonly (keyof RefreshTokenRow)[];

type Scoped<Row> = Readonly<Omit<Row, 'scopes'>> & { readonly scopes: readonly string[] };

export type AccessToken = Scoped<AccessTokenRow>;
export interface RefreshToken
  extends Omit<Scoped<RefreshTokenRow>, 'currentHash' | 'previousHash' | 'rotationSalt' | 'rotatedAt'> {
  /** Null: the token has not been refreshed yet. */
  readonly rotation: Rotation | null;
}
export type AuthorizationCode = Scoped<AuthorizationCodeRow>;

export interface Rotation {
  readonly currentHash: string;
  readonly previousHash: string;
  /** The salt from which the current token was derived. */
  readonly salt: string;
  readonly rotatedAt: number;
}

/** A new access token. Its row names its grant, which is stored once. */
export type NewAccessToken = Omit<AccessToken, 'grantId'>;

export async function insertAccessToken(db: Queries, token: NewAccessToken): Promise<void> {
  const { tokenHash, issuedAt, expiresAt, revokedAt, ...shared } = joined(token);
  const { applicationId, passengerId, worldId, scopes, refreshTokenHash, codeHash } = shared;
  const key = [applicationId, passengerId, worldId, scopes, refreshTokenHash, codeHash];
  const digest = hash('sha256', JSON.stringify(key), 'base64url');
  // 52 bits: a new grant hits the number of another one of millions about once in a billion times, and then fails
  const id = Number.parseInt(hash('sha256', tokenHash).slice(0, 13), 16);
  const grant = { ...shared, id, digest, expiresAt: expiresAt + GRANT_MARGIN_MS, revokedAt: null };
  const { rows } = await grantUpsert(db, { ...grant, until: expiresAt });
  await tokenInsert(db, { tokenHash, grantId: rows[0]!.id, issuedAt, expiresAt, revokedAt });
}

/**
 * Access tokens of a passenger, valid or not, that an application can have in one world. A page that lists all access
 * reads them, and a grant is deleted with its tokens.
 * @beyond the oldest that no longer works is deleted, and then answered as one that never existed
 * @heldBy tests/store/tokens.test.ts
 */
export const MOST_TOKENS_KEPT = 100;

/**
 * Ends all but the newest access tokens of a passenger, as if they had expired, and deletes the oldest of too many that
 * have ended. Servers whose calls meet can leave a few more, until the next one.
 * @param newest the hash of the latest token, which stays even if a call that came later has issued others
 * @param most how many work
 * @param at real milliseconds UTC
 */
export async function keepNewestTokens(
  db: Queries,
  holder: Holder,
  newest: string,
  most: number,
  at: number,
): Promise<void> {
  const { rows } = await tokensOf(db, holder);
  const others = rows.filter(({ tokenHash }) => tokenHash !== newest);
  const valid = others.filter(({ revokedAt, expiresAt }) => revokedAt === null && expiresAt > at);
  // one by one: a list would make all bearers leave memory, also those of others
  for (const { tokenHash } of valid.slice(most - 1)) {
    await db.updateTable('issuedTokens').set({ expiresAt: at }).where('tokenHash', '=', tokenHash).execute();
  }
  const working = new Set(valid.slice(0, most - 1));
  const old = others.slice(MOST_TOKENS_KEPT - 1).filter((token) => !working.has(token));
  // for this token, and for one of a server of the previous version
  for (const { tokenHash, grantId } of await holdOldest(db, old, 2)) {
    await db.deleteFrom('issuedTokens').where('tokenHash', '=', tokenHash).execute();
    await deleteIfEmpty(db, grantId, holder.passengerId);
  }
}

type Holder = Pick<AccessTokenRow, 'worldId' | 'passengerId' | 'applicationId'>;

/** Newest first. */
const tokensOf = prepared((db, holder: Holder) =>
  db
    .selectFrom('accessTokens')
    .select(['tokenHash', 'grantId', 'expiresAt', 'revokedAt'])
    .where(equal(holder))
    .orderBy('issuedAt', 'desc')
    .orderBy('tokenHash')
    .limit(sql.lit(2 * MOST_TOKENS_KEPT)),
);

/** Locks the oldest tokens that no other transaction has locked, so that calls that meet delete different ones. */
async function holdOldest<Token extends Pick<AccessTokenRow, 'tokenHash' | 'grantId'>>(
  db: Queries,
  newestFirst: readonly Token[],
  most: number,
): Promise<readonly Pick<Token, 'tokenHash' | 'grantId'>[]> {
  if (!hasRowLocks(db) || newestFirst.length === 0) return newestFirst.slice(-most);
  return db
    .selectFrom('issuedTokens')
    .select(['tokenHash', 'grantId'])
    .where('tokenHash', 'in', listOfColumn(db, newestFirst, 'tokenHash'))
    .orderBy('issuedAt')
    .limit(most)
    .forUpdate()
    .skipLocked()
    .execute();
}

/** Deletes a grant without tokens, unless another transaction has locked it. */
async function deleteIfEmpty(db: Queries, grantId: number, passengerId: string | null): Promise<void> {
  const grant = db.selectFrom('accessGrants').select('id').where('id', '=', grantId);
  // first and alone: the statement after it sees all tokens that other transactions have added to the grant
  if (hasRowLocks(db) && !(await grant.forUpdate().skipLocked().executeTakeFirst())) return;
  const empty = db.deleteFrom('accessGrants').where(equal({ passengerId })).where('id', '=', grantId);
  await empty.where(HAS_NO_TOKENS).execute();
}

/** A grant is stored for longer than its latest token, so that not every token has to update it. */
const GRANT_MARGIN_MS = 10 * MINUTE_MS;

/** Locks the grant: a sweep that sees it expired waits, and then sees its new expiry. */
const grantUpsert = prepared((db, { until, ...row }: AccessGrantRow & { readonly until: number }) =>
  db
    .insertInto('accessGrants')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('digest').doUpdateSet((grant) => ({
        expiresAt: grant
          .case()
          .when('accessGrants.expiresAt', '<', until)
          .then(grant.ref('excluded.expiresAt'))
          .else(grant.ref('accessGrants.expiresAt'))
          .end(),
      })),
    )
    .returning('id'),
);

const tokenInsert = prepared((db, row: IssuedTokenRow) => db.insertInto('issuedTokens').values(row));

export async function insertRefreshToken(db: Queries, token: RefreshToken): Promise<void> {
  const { rotation, ...row } = joined(token);
  await db
    .insertInto('refreshTokens')
    .values({ ...row, ...toRotationColumns(rotation) })
    .execute();
}

export async function insertCode(db: Queries, code: AuthorizationCode): Promise<void> {
  await db.insertInto('authorizationCodes').values(joined(code)).execute();
}

/** Deletes all but the newest codes of a passenger for an application. @param most how many stay */
export function deleteOldestCodes(
  db: Queries,
  of: Pick<AuthorizationCodeRow, 'passengerId' | 'applicationId'>,
  most: number,
): Promise<void> {
  return deleteOldest(db, 'authorizationCodes', ['codeHash'], 'issuedAt', of, most);
}

/**
 * Deletes the tokens of all but the newest consents of a passenger to an application.
 * @param isOffline true: counts consents with a refresh token; false: those without
 * @param most how many stay
 */
export async function endOldestConsents(db: Queries, holder: Holder, isOffline: boolean, most: number): Promise<void> {
  const { worldId, passengerId, applicationId } = holder;
  const from = isOffline ? sql`refresh_tokens where true` : sql`access_grants where refresh_token_hash is null`;
  const found = await rowsOf(
    db,
    sql<{ codeHash: string }>`
      select code_hash from ${from} and world_id = ${worldId} and passenger_id = ${passengerId}
      and application_id = ${applicationId} and code_hash is not null
      order by ${sql.ref(isOffline ? 'issuedAt' : 'expiresAt')} desc
      limit ${sql.lit(MOST_ROWS_SWEPT_AT_ONCE)} offset ${most}`,
  );
  for (const { codeHash } of found) {
    await db.deleteFrom('refreshTokens').where('codeHash', '=', codeHash).execute();
    await db.deleteFrom('accessGrants').where(hashIs('codeHash', codeHash)).execute();
  }
}

/**
 * Returns revoked tokens too. Locks the token: a revocation then covers tokens that this transaction issues from it,
 * and the second of two concurrent refreshes sees the first.
 */
export async function findRefreshToken(db: Queries, tokenHash: string): Promise<RefreshToken | undefined> {
  if (hasRowLocks(db)) await passengerLock(db, { tokenHash });
  const [row] = (await refreshTokenLock(db, { tokenHash })).rows;
  return row && toRefreshToken(row);
}

/** Lock order: passenger, then refresh token. The cascade of a deletion locks in the same order. */
const passengerLock = prepared((db, { tokenHash }: TokenKey) =>
  db
    .selectFrom('refreshTokens')
    .innerJoin('passengers', (on) =>
      on
        .onRef('passengers.worldId', '=', 'refreshTokens.worldId')
        .onRef('passengers.id', '=', 'refreshTokens.passengerId'),
    )
    .select('passengers.id')
    .where('tokenHash', '=', tokenHash)
    // renewals of a revoked token must not keep its passenger from leaving
    .where('revokedAt', 'is', null)
    .forKeyShare('passengers'),
);

const refreshTokenLock = prepared((db, { tokenHash }: TokenKey) =>
  db
    .selectFrom('refreshTokens')
    .select(REFRESH_TOKEN_COLUMNS)
    .where('tokenHash', '=', tokenHash)
    .$if(hasRowLocks(db), (query) => query.forNoKeyUpdate()),
);

type TokenKey = Pick<RefreshTokenRow, 'tokenHash'>;

export async function saveRefresh(
  db: Queries,
  { tokenHash, lastUsedAt, rotation }: Pick<RefreshToken, 'tokenHash' | 'lastUsedAt' | 'rotation'>,
): Promise<void> {
  await refreshUpdate(db, { tokenHash, lastUsedAt, ...toRotationColumns(rotation) });
}

type RefreshUse = Pick<RefreshTokenRow, 'lastUsedAt'> & ReturnType<typeof toRotationColumns>;

const refreshUpdate = prepared((db, { tokenHash, ...use }: TokenKey & RefreshUse) =>
  db.updateTable('refreshTokens').set(use).where('tokenHash', '=', tokenHash),
);

/** Returns expired and used codes too. */
export async function findCode(db: Queries, codeHash: string): Promise<AuthorizationCode | undefined> {
  const row = await db.selectFrom('authorizationCodes').selectAll().where('codeHash', '=', codeHash).executeTakeFirst();
  return row && scoped(row);
}

/** @returns true for the first use of the code, false for every later one */
export async function useCode(db: Queries, codeHash: string, at: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('authorizationCodes')
    .set({ usedAt: at })
    .where('codeHash', '=', codeHash)
    .where('usedAt', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/**
 * Deletes a batch of access tokens and codes that expired before `before`, and refresh tokens that were revoked before
 * it. Also deletes refresh tokens last used before `usedBefore`. Leave a margin: the server can report an expired
 * token, or a reused code, only while its row exists.
 * @returns how many were deleted; 0 when there are no more
 */
export async function deleteExpired(db: Queries, before: number, usedBefore: number): Promise<number> {
  return (
    (await deleteExpiredAccess(db, before)) +
    (await deleteSome(db, 'authorizationCodes', ['codeHash'], (row) => row('expiresAt', '<', before))) +
    (await deleteSome(db, 'refreshTokens', ['tokenHash'], (row) => row('revokedAt', '<', before))) +
    (await deleteSome(db, 'refreshTokens', ['tokenHash'], (row) => row('lastUsedAt', '<', usedBefore)))
  );
}

/** Deletes grants only once no token has expired: each goes with its tokens, in the same statement. */
async function deleteExpiredAccess(db: Queries, before: number): Promise<number> {
  const tokens = await deleteSome(db, 'issuedTokens', ['tokenHash'], (row) => row('expiresAt', '<', before));
  if (tokens > 0) return tokens;
  // the expiry is part of the key, so that a grant that gets a new token meanwhile stays
  // another server may have deleted the same batch, and left further tokens
  return deleteSome(db, 'accessGrants', ['id', 'expiresAt'], (row) =>
    row.and([row('expiresAt', '<', before), HAS_NO_TOKENS]),
  );
}

function toRefreshToken(row: RefreshTokenRow): RefreshToken {
  const { currentHash, previousHash, rotationSalt: salt, rotatedAt, ...token } = scoped(row);
  const isRotated = currentHash !== null && previousHash !== null && salt !== null && rotatedAt !== null;
  return { ...token, rotation: isRotated ? { currentHash, previousHash, salt, rotatedAt } : null };
}

function toRotationColumns(rotation: Rotation | null) {
  const used: Partial<Rotation> = rotation ?? {};
  const { currentHash = null, previousHash = null, salt: rotationSalt = null, rotatedAt = null } = used;
  return { currentHash, previousHash, rotationSalt, rotatedAt };
}

function joined<T extends { readonly scopes: readonly string[] }>(token: T): Omit<T, 'scopes'> & { scopes: string } {
  return { ...token, scopes: token.scopes.join(' ') };
}

export function scoped<Row extends { scopes: string }>(row: Row): Scoped<Row> {
  return { ...row, scopes: scopesIn(row.scopes) };
}
