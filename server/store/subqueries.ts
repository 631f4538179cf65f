import { type Expression, expressionBuilder, type RawBuilder, sql } from 'kysely';
import type { WorldKind } from '../domain/worlds/clock.ts';
import type { Database, Queries } from './schema.ts';

/** Builds subqueries without the database object, whose plugins would process each one as a separate query. */
export const subqueries = expressionBuilder<Database, never>();

/** Whether a row is of this kind of world. Not an equality: SQLite would choose another index for it. */
export function isIn(kind: WorldKind, table: 'timers' | 'deliveries'): RawBuilder<boolean> {
  const worldId = sql.ref(`${table}.worldId`);
  return kind === 'live' ? sql`not (${worldId} <> 'live')` : sql`${worldId} <> 'live'`;
}

export interface SandboxRange {
  /**
   * Skips sandboxes up to this id; empty: none. A search returns as `last` the id of the last sandbox that it has read, to
   * continue after it; null: there are no more.
   */
  readonly after: string;
  readonly mostSandboxes: number;
}

/**
 * A query with the table `sandboxes`: their ids in order, each with its place from 1. Begins with `after` at place 0,
 * and ends with a null if there are no more.
 * @param next the id after `sandboxes.id` in an index
 */
export function withSandboxes(db: Queries, { after, mostSandboxes }: SandboxRange, next: Expression<unknown>) {
  return db.withRecursive('sandboxes(id, place)', (cte) =>
    cte.selectNoFrom([sql<string | null>`cast(${after} as text)`.as('id'), sql<number>`0`.as('place')]).unionAll(
      cte
        .selectFrom('sandboxes')
        .select((row) => [sql<string | null>`${next}`.as('id'), row('place', '+', 1).as('place')])
        .where('sandboxes.id', 'is not', null)
        .where('sandboxes.place', '<', mostSandboxes),
    ),
  );
}
