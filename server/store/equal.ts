import {
  type ExpressionBuilder,
  type ExpressionWrapper,
  type FilterObject,
  type ReferenceExpression,
  type SqlBool,
  sql,
} from 'kysely';
import type { Database } from './schema.ts';

/** A condition: each of these columns has this value. */
export function equal<Table extends keyof Database>(columns: FilterObject<Database, Table>) {
  return (row: ExpressionBuilder<Database, Table>): ExpressionWrapper<Database, Table, SqlBool> =>
    // not the object itself: Kysely would omit a column whose value is undefined
    row.and(
      Object.entries(columns).map(([name, value]) => row(name as ReferenceExpression<Database, Table>, '=', value)),
    );
}

/** A condition on a column of the grants, with that of its partial index. As equations, which the token cache reads. */
export function hashIs(column: 'refreshTokenHash' | 'codeHash', hash: string) {
  return (row: ExpressionBuilder<Database, 'accessGrants'>): ExpressionWrapper<Database, 'accessGrants', SqlBool> =>
    row.and([row(column, '=', hash), row(column, '>', sql.lit(''))]);
}
