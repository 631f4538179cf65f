import { expressionBuilder, sql } from 'kysely';
import type { WorldKind } from '../../domain/worlds/clock.ts';
import { LIVE_WORLD } from '../../domain/worlds/live.ts';
import type { Database, DeliveryRow, Queries } from '../schema.ts';
import { PENDING } from './due.ts';

/** Deliveries that wait for each other: those of an application in the live world, or those in a sandbox. */
export type Line = Readonly<Pick<DeliveryRow, 'applicationId' | 'worldId'>>;

/** A line in which a delivery can be claimed now or soon. */
export interface WaitingLine extends Line {
  /** Real milliseconds UTC. */
  readonly dueAt: number;
}

export function kindOf({ worldId }: Line): WorldKind {
  return worldId === LIVE_WORLD.id ? 'live' : 'sandbox';
}

/** Builds subqueries. With the database itself, each would count as a query for its plugins. */
export const tables = expressionBuilder<Database, never>();

/** The column that finds the deliveries of a line, and the index of its kind. */
const KEYS = { live: 'deliveries.applicationId', sandbox: 'deliveries.worldId' } as const;

export function keyOf(line: Line): string {
  return kindOf(line) === 'live' ? line.applicationId : line.worldId;
}

/** Where to look for lines, and which ones matter. Instants are real milliseconds UTC. */
export interface Look {
  readonly realNow: number;
  /** Leaves out what is due later. */
  readonly until: number;
  /** Leaves out the sandboxes up to this id; empty: none. */
  readonly after: string;
  readonly mostSandboxes: number;
}

export interface Seen {
  /** In no order. */
  readonly lines: readonly WaitingLine[];
  /** The id of the last sandbox, to go on after it; null: there are no more. */
  readonly last: string | null;
}

/**
 * Lists the lines that wait in the live world, and those in so many sandboxes. Each step finds the next line in an index
 * and its first free delivery, so the cost grows with the lines and not with their backlog.
 */
export async function waitingLines(db: Queries, search: Look): Promise<Seen> {
  const { after, mostSandboxes } = search;
  const found = await db
    .withRecursive('live(id)', (cte) =>
      cte
        .selectNoFrom(sql<string | null>`''`.as('id'))
        .unionAll(cte.selectFrom('live').select(nextKey('live', 'live.id').as('id')).where('live.id', 'is not', null)),
    )
    .withRecursive('sandboxes(id, place)', (cte) =>
      cte.selectNoFrom([sql<string | null>`cast(${after} as text)`.as('id'), sql<number>`0`.as('place')]).unionAll(
        cte
          .selectFrom('sandboxes')
          .select((row) => [nextKey('sandbox', 'sandboxes.id').as('id'), row('place', '+', 1).as('place')])
          .where('sandboxes.id', 'is not', null)
          .where('sandboxes.place', '<', mostSandboxes),
      ),
    )
    .selectFrom((line) =>
      line
        .selectFrom('live')
        .select([
          sql<string | null>`live.id`.as('applicationId'),
          sql<string>`cast(${LIVE_WORLD.id} as text)`.as('worldId'),
          sql<number>`0`.as('place'),
          firstDue('live', search, 'live.id').as('dueAt'),
        ])
        .as('line'),
    )
    .selectAll('line')
    .where('line.dueAt', 'is not', null)
    // what a deleted application has left is not sent any more
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('applications').select('applications.id').whereRef('applications.id', '=', 'line.applicationId'),
      ),
    )
    .unionAll((line) =>
      line
        .selectFrom('sandboxes')
        .where('sandboxes.place', '>', 0)
        .where('sandboxes.id', 'is not', null)
        .$narrowType<{ id: string }>()
        .select([
          tables
            .selectFrom('worlds')
            .innerJoin('applications', 'applications.id', 'worlds.applicationId')
            .select('applications.id')
            .whereRef('worlds.id', '=', sql.ref('sandboxes.id'))
            .as('applicationId'),
          sql<string>`sandboxes.id`.as('worldId'),
          'sandboxes.place',
          firstDue('sandbox', search, 'sandboxes.id').as('dueAt'),
        ]),
    )
    .execute();
  const end = found.find(({ place }) => place === mostSandboxes);
  return { lines: found.flatMap(toWaitingLine), last: end?.worldId ?? null };
}

function toWaitingLine(found: { applicationId: string | null; worldId: string; dueAt: number | null }): WaitingLine[] {
  const { applicationId, worldId, dueAt } = found;
  return applicationId === null || dueAt === null ? [] : [{ applicationId, worldId, dueAt }];
}

/** The pending deliveries of a kind of world that have a due time. The conditions are those of an index. */
export function dueSometime(kind: WorldKind) {
  return tables
    .selectFrom('deliveries')
    .where('deliveries.status', '=', PENDING)
    .where('deliveries.realDueAt', 'is not', null)
    .where((row) => {
      const isSandbox = row('deliveries.worldId', '<>', sql.lit(LIVE_WORLD.id));
      return kind === 'live' ? row.not(isSandbox) : isSandbox;
    });
}

/** The key of the next line after the one of an outer row. */
function nextKey(kind: WorldKind, outer: string) {
  return dueSometime(kind)
    .select(KEYS[kind])
    .where(KEYS[kind], '>', sql.ref<string>(outer))
    .orderBy(KEYS[kind])
    .limit(1);
}

function firstDue(kind: WorldKind, { realNow, until }: Look, outer: string) {
  return freeDeliveries(kind, { realNow, until }, outer).select('deliveries.realDueAt').limit(1);
}

/** The deliveries of an outer row's line that are due by an instant and that no worker holds now, earliest first. */
export function freeDeliveries(kind: WorldKind, { realNow, until }: Pick<Look, 'realNow' | 'until'>, outer: string) {
  return dueSometime(kind)
    .where(KEYS[kind], '=', sql.ref<string>(outer))
    .where('deliveries.realDueAt', '<=', until)
    .where((row) => row.or([row('leaseUntil', 'is', null), row('leaseUntil', '<=', realNow)]))
    .orderBy('deliveries.realDueAt');
}
