import { type Expression, type SelectQueryBuilder, sql } from 'kysely';
import type { WorldKind } from '../../domain/worlds/clock.ts';
import { LIVE_WORLD } from '../../domain/worlds/live.ts';
import { hasRowLocks, listOf } from '../engine/dialect.ts';
import { prepared } from '../engine/prepared.ts';
import type { Database, Queries } from '../schema.ts';
import { isIn, subqueries } from '../subqueries.ts';
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

/** The column that identifies a delivery's lane; an index of each kind starts with it. */
const KEYS = { live: 'deliveries.applicationId', sandbox: 'deliveries.worldId' } as const;

export function keyOf(lane: Lane): string {
  return kindOf(lane) === 'live' ? lane.applicationId : lane.worldId;
}

/** How far ahead to look. Times are real, in milliseconds UTC. */
interface Horizon {
  readonly realNow: number;
  /** Skips deliveries that are due later. */
  readonly until: number;
}

export interface LaneSearch extends Horizon {
  /** Of each application, reads this many deliveries in sandboxes: those that are due first. */
  readonly mostDue: number;
  /** Of one application that may have more, also reads this many sandboxes. A round reads all of all such applications. */
  readonly mostSandboxes: number;
  /** Where the round continues; null: at its beginning. */
  readonly after: Lane | null;
}

/**
 * Lists the waiting lanes: of each application, that of the live world, and those of the sandboxes with the deliveries
 * that are due first. The cost grows with what is due, not with the number of sandboxes and their backlog.
 * @returns the lanes in no particular order; `last`: where the round continues
 */
export async function waitingLanes(db: Queries, search: LaneSearch) {
  const { rows } = await applicationsQuery(db, { realNow: search.realNow, until: search.until });
  const due = rows.flatMap(({ dueAt, ...row }) => (dueAt === null ? [] : [{ ...row, dueAt }]));
  const live = due.flatMap(({ kind, ...row }) => (kind === 'live' ? [{ ...row, worldId: LIVE_WORLD.id }] : []));
  const applicationIds = due.flatMap(({ kind, applicationId }) => (kind === 'sandbox' ? [applicationId] : []));
  if (applicationIds.length === 0) return { lanes: live, last: null };
  const first = await firstInSandboxes(db, search, applicationIds);
  const counts = new Map<string, number>();
  for (const { applicationId } of first) counts.set(applicationId, (counts.get(applicationId) ?? 0) + 1);
  const crowded = applicationIds.filter((id) => counts.get(id) === search.mostDue).sort();
  const { lanes: next, last } = await nextSandboxes(db, search, crowded);
  const inSandboxes = new Map([...next, ...first].map((lane) => [lane.worldId, lane]));
  return { lanes: [...live, ...inSandboxes.values()], last };
}

/**
 * The applications with deliveries in each kind of world, and the due time of their first free one. Each step finds the
 * next application in an index, then its first free delivery.
 */
const applicationsQuery = prepared((db, search: Horizon) => {
  const ofKind = <T>(each: (kind: WorldKind) => Expression<unknown>) =>
    sql<T>`case when waiting.kind = 'live' then ${each('live')} else ${each('sandbox')} end`;
  const next = (kind: WorldKind) =>
    dueSometime(kind)
      .select('deliveries.applicationId')
      .where('deliveries.applicationId', '>', sql.ref<string>('waiting.id'))
      .orderBy('deliveries.applicationId')
      .limit(1);
  const firstDue = (kind: WorldKind) =>
    freeDeliveries(kind, search, 'waiting.id', 'deliveries.applicationId').select('deliveries.realDueAt').limit(1);
  return (
    db
      .withRecursive('waiting(kind, id)', (cte) => {
        const start = (kind: WorldKind) =>
          cte.selectNoFrom([
            sql<WorldKind>`cast(${sql.lit(kind)} as text)`.as('kind'),
            sql<string | null>`''`.as('id'),
          ]);
        const step = cte.selectFrom('waiting').select(['waiting.kind', ofKind<string | null>(next).as('id')]);
        return start('live')
          .unionAll(start('sandbox'))
          .unionAll(step.where('waiting.id', 'is not', null));
      })
      .selectFrom('waiting')
      // skips the rest of a deleted application's deliveries
      .innerJoin('applications', 'applications.id', 'waiting.id')
      .select(['waiting.kind', 'applications.id as applicationId', ofKind<number | null>(firstDue).as('dueAt')])
  );
});

/** The sandboxes with the first free deliveries of each application; a sandbox comes once for each. Latest due first. */
async function firstInSandboxes(db: Queries, search: LaneSearch, applicationIds: readonly string[]) {
  const ofEach = freeDeliveries('sandbox', search, 'lane.value', 'deliveries.applicationId');
  return db
    .selectFrom(foundForEach(db, applicationIds, ofEach, search.mostDue).as('due'))
    .select(['due.applicationId', 'due.worldId', 'due.realDueAt as dueAt'])
    .orderBy('due.realDueAt', 'desc')
    .$narrowType<{ dueAt: number }>()
    .execute();
}

/** Some sandboxes of one of the applications, and where the round continues. */
async function nextSandboxes(db: Queries, search: LaneSearch, applicationIds: readonly string[]) {
  const { after, mostSandboxes } = search;
  const applicationId = applicationIds.find((id) => after === null || id >= after.applicationId);
  if (applicationId === undefined) return { lanes: [], last: null };
  const found = await db
    .selectFrom('worlds')
    .select('id as worldId')
    .select(freeDeliveries('sandbox', search, 'worlds.id').select('deliveries.realDueAt').limit(1).as('dueAt'))
    .where('applicationId', '=', applicationId)
    .where('id', '>', after?.applicationId === applicationId ? after.worldId : '')
    .orderBy('id')
    .limit(mostSandboxes)
    .execute();
  const lanes = found.flatMap(({ worldId, dueAt }) => (dueAt === null ? [] : [{ applicationId, worldId, dueAt }]));
  const following = applicationIds[applicationIds.indexOf(applicationId) + 1];
  if (found.length === mostSandboxes) return { lanes, last: { applicationId, worldId: found.at(-1)!.worldId } };
  return { lanes, last: following === undefined ? null : { applicationId: following, worldId: '' } };
}

/** Pending deliveries of one kind of world that have a due time. The conditions match an index. */
export function dueSometime(kind: WorldKind) {
  return subqueries
    .selectFrom('deliveries')
    .where('deliveries.status', '=', PENDING)
    .where('deliveries.realDueAt', 'is not', null)
    .where(isIn(kind, 'deliveries'));
}

/** The deliveries of an outer row's lane that are due by `until` and that no worker holds, earliest first. */
export function freeDeliveries(
  kind: WorldKind,
  { realNow, until }: Horizon,
  outer: string,
  key: (typeof KEYS)[WorldKind] = KEYS[kind],
) {
  return dueSometime(kind)
    .where(key, '=', sql.ref<string>(outer))
    .where('deliveries.realDueAt', '<=', until)
    .where((row) => row.or([row('leaseUntil', 'is', null), row('leaseUntil', '<=', realNow)]))
    .orderBy('deliveries.realDueAt');
}

/** The first deliveries that `ofEach` finds for each value, which it refers to as `lane.value`. */
export function foundForEach(
  db: Queries,
  values: readonly string[],
  ofEach: SelectQueryBuilder<Database, 'deliveries', unknown>,
  limit: number,
) {
  // not a constant: PostgreSQL would choose a plan that reads a whole backlog and sorts it
  const first = ofEach.limit(sql<number>`(select ${sql.lit(limit)})`);
  const asked = subqueries.selectFrom(listOf(db, values).$castTo<{ value: string }>().as('lane'));
  // one query per engine: SQLite has no lateral joins, and PostgreSQL would compare every pair
  const found = hasRowLocks(db)
    ? asked.innerJoinLateral(first.selectAll('deliveries').as('found'), (join) => join.onTrue())
    : asked.innerJoin('deliveries as found', (join) =>
        join.on('found.eventId', 'in', first.select('deliveries.eventId')),
      );
  return found.selectAll('found');
}
