import {
  type Expression,
  type ExpressionBuilder,
  expressionBuilder,
  type FilterObject,
  type RawBuilder,
  type SqlBool,
  sql,
} from 'kysely';
import { hasRowLocks } from './engine/dialect.ts';
import { equal } from './equal.ts';
import type { Database, Queries } from './schema.ts';

/**
 * Rows, old or of a deleted application, that one statement of the sweep deletes. SQLite runs nothing else in the
 * meantime.
 * @beyond the next statement deletes the rest
 */
export const MOST_ROWS_SWEPT_AT_ONCE = 250;

/** Deletes a batch of a table's expired rows. @returns how many; 0 when there are no more */
export const DELETE_EXPIRED = {
  sessions: expiredIn('sessions', ['tokenHash']),
  developerSessions: expiredIn('developerSessions', ['tokenHash']),
  devices: expiredIn('devices', ['tokenHash']),
  developerDevices: expiredIn('developerDevices', ['tokenHash']),
  developerLinks: expiredIn('developerLinks', ['tokenHash']),
  // the expiry is part of the key, so that a code that replaces an expired one meanwhile stays
  phoneCodes: expiredIn('phoneCodes', ['worldId', 'passengerId', 'expiresAt']),
};

function expiredIn<Table extends keyof Database>(table: Table, key: readonly (keyof Database[Table] & string)[]) {
  return (db: Queries, at: number): Promise<number> =>
    deleteSome(db, table, key, () => sql<boolean>`expires_at <= ${at}`);
}

/** Deletes rows of a table that match, except the newest ones. Of very many, the next call deletes more. */
export async function deleteOldest<Table extends 'authorizationCodes' | 'decisions'>(
  db: Queries,
  table: Table,
  key: readonly (keyof Database[Table] & string)[],
  newestFirst: keyof Database[Table] & string,
  match: FilterObject<Database, Table>,
  most: number,
): Promise<void> {
  const matches = expressionBuilder<Database, Table>();
  const columns = sql.join(key.map((column) => sql.ref(column)));
  await deleteSome(
    db,
    table,
    key,
    () => sql<boolean>`${equal(match)(matches)} and (${columns}) in (
      select ${columns} from ${sql.table(table)} where ${equal(match)(matches)}
      order by ${sql.ref(newestFirst)} desc limit ${sql.lit(MOST_ROWS_SWEPT_AT_ONCE)} offset ${sql.lit(most)}
    )`,
  );
}

/** A condition on a grant. The deletion of a grant deletes its tokens in the same statement, however many. */
export const HAS_NO_TOKENS = sql<boolean>`not exists (select 1 from issued_tokens where grant_id = access_grants.id)`;

/**
 * Deletes a batch of tokens of one kind, and grants when they have no tokens left.
 * @param match a condition on the columns of a grant, which refresh tokens have too
 * @returns how many; 0 when there are no more
 */
export async function deleteSomeTokens(
  db: Queries,
  match: RawBuilder<boolean>,
  most = MOST_ROWS_SWEPT_AT_ONCE,
): Promise<number> {
  // limited, because these grants go before others
  const grants = sql`select id from access_grants where ${match} limit ${sql.lit(most)}`;
  // PostgreSQL looks for the tokens of each grant: if another application has very many, it would read all tokens first
  const issued = () =>
    hasRowLocks(db)
      ? sql<boolean>`token_hash in (
          select found.token_hash from (${grants}) as leaving cross join lateral (
            select token_hash from issued_tokens where grant_id = leaving.id limit (select ${sql.lit(most)})
          ) as found limit ${sql.lit(most)}
        )`
      : sql<boolean>`grant_id in (${grants})`;
  return (
    (await deleteSome(db, 'refreshTokens', ['tokenHash'], () => match, most)) ||
    (await deleteSome(db, 'issuedTokens', ['tokenHash'], issued, most)) ||
    deleteSome(db, 'accessGrants', ['id'], () => sql<boolean>`${match} and ${HAS_NO_TOKENS}`, most)
  );
}

/** Deletes a batch of the rows that match. @returns how many; 0 when there are no more */
export async function deleteSome<Table extends keyof Database>(
  db: Queries,
  table: Table,
  key: readonly (keyof Database[Table] & string)[],
  match: (row: ExpressionBuilder<Database, Table>) => Expression<SqlBool>,
  most = MOST_ROWS_SWEPT_AT_ONCE,
): Promise<number> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const some = sql`select ${columns} from ${sql.table(table)} where ${match(expressionBuilder())} limit ${sql.lit(most)}`;
  const { numDeletedRows } = await db
    .deleteFrom(table as keyof Database)
    .where(sql<boolean>`(${columns}) in (${some})`)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
