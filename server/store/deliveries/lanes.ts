import { sql } from 'kysely';
import type { WorldKind } from '../../domain/worlds/clock.ts';
import { LIVE_WORLD } from '../../domain/worlds/live.ts';
import { prepared } from '../engine/prepared.ts';
import type { Queries } from '../schema.ts';
import { isIn, type SandboxRange, subqueries, withSandboxes } from '../subqueries.ts';
import type { DeliveryRow } from '../webhook-rows.ts';
import { PENDING } from './due.ts';

/** Identifies the deliveries that share a queue: of one application in the live world, or of one sandbox. */
export type Lane = Readonly<Pick<DeliveryRow, 'applicationId' | 'worldId'>>;

/** A lane with a delivery that can be claimed now or soon. */
export interface WaitingLane extends Lane {
  /** Real time, in milliseconds UTC. */
  readonly dueAt: number;
}

export function kindOf({ worldId }: Lane): WorldKind {
  return worldId === LIVE_WORLD.id ? 'live' : 'sandbox';
}

/** The column that identifies a delivery's lane; the index of each kind starts with it. */
const KEYS = { live: 'deliveries.applicationId', sandbox: 'deliveries.worldId' } as const;

export function keyOf(lane: Lane): string {
  return kindOf(lane) === 'live' ? lane.applicationId : lane.worldId;
}

/** Where to look for lanes, and how far ahead. Times are real, in milliseconds UTC. */
export interface LaneSearch extends SandboxRange {
  readonly realNow: number;
  /** Skips deliveries that are due later. */
  readonly until: number;
}

/**
 * Lists the waiting lanes of the live world, and those of at most `mostSandboxes` sandboxes. Each step finds the next
 * lane in an index, then its first free delivery. The cost grows with the number of lanes, not with their backlog.
 * @returns the lanes in no particular order; `last`: see SandboxRange
 */
export async function waitingLanes(db: Queries, search: LaneSearch) {
  const { rows: found } = await lanesQuery(db, search);
  const end = found.find(({ place }) => place === search.mostSandboxes);
  const lanes = found.flatMap(({ applicationId, worldId, dueAt }): WaitingLane[] =>
    applicationId === null || dueAt === null ? [] : [{ applicationId, worldId, dueAt }],
  );
  return { lanes, last: end?.worldId ?? null };
}

const lanesQuery = prepared((db, search: LaneSearch) =>
  withSandboxes(db, search, nextKey('sandbox', 'sandboxes.id'))
    .withRecursive('live(id)', (cte) =>
      cte
        .selectNoFrom(sql<string | null>`''`.as('id'))
        .unionAll(cte.selectFrom('live').select(nextKey('live', 'live.id').as('id')).where('live.id', 'is not', null)),
    )
    .selectFrom((lane) =>
      lane
        .selectFrom('live')
        .select([
          sql<string | null>`live.id`.as('applicationId'),
          sql<string>`cast(${LIVE_WORLD.id} as text)`.as('worldId'),
          sql<number>`0`.as('place'),
          firstDue('live', search, 'live.id').as('dueAt'),
        ])
        .as('lane'),
    )
    .select(['lane.applicationId', 'lane.worldId', 'lane.place', 'lane.dueAt'])
    .where('lane.dueAt', 'is not', null)
    // skips the rest of a deleted application's deliveries
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('applications').select('applications.id').whereRef('applications.id', '=', 'lane.applicationId'),
      ),
    )
    .unionAll((lane) =>
      lane
        .selectFrom('sandboxes')
        .where('sandboxes.place', '>', 0)
        .where('sandboxes.id', 'is not', null)
        .$narrowType<{ id: string }>()
        .select([
          subqueries
            .selectFrom('worlds')
            .innerJoin('applications', 'applications.id', 'worlds.applicationId')
            .select('applications.id')
            .whereRef('worlds.id', '=', sql.ref('sandboxes.id'))
            .as('applicationId'),
          sql<string>`sandboxes.id`.as('worldId'),
          'sandboxes.place',
          firstDue('sandbox', search, 'sandboxes.id').as('dueAt'),
        ]),
    ),
);

/** Pending deliveries of one kind of world that have a due time. The conditions match an index. */
export function dueSometime(kind: WorldKind) {
  return subqueries
    .selectFrom('deliveries')
    .where('deliveries.status', '=', PENDING)
    .where('deliveries.realDueAt', 'is not', null)
    .where(isIn(kind, 'deliveries'));
}

/** The key of the lane after an outer row's lane. */
function nextKey(kind: WorldKind, outer: string) {
  return dueSometime(kind)
    .select(KEYS[kind])
    .where(KEYS[kind], '>', sql.ref<string>(outer))
    .orderBy(KEYS[kind])
    .limit(1);
}

function firstDue(kind: WorldKind, search: LaneSearch, outer: string) {
  return freeDeliveries(kind, search, outer).select('deliveries.realDueAt').limit(1);
}

/** The deliveries of an outer row's lane that are due by `until` and that no worker holds, earliest first. */
export function freeDeliveries(kind: WorldKind, search: Pick<LaneSearch, 'realNow' | 'until'>, outer: string) {
  return dueSometime(kind)
    .where(KEYS[kind], '=', sql.ref<string>(outer))
    .where('deliveries.realDueAt', '<=', search.until)
    .where((row) => row.or([row('leaseUntil', 'is', null), row('leaseUntil', '<=', search.realNow)]))
    .orderBy('deliveries.realDueAt');
}
