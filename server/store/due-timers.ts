import { sql } from 'kysely';
import type { WorldKind } from '../domain/worlds/clock.ts';
import { LIVE_WORLD } from '../domain/worlds/live.ts';
import { hasRowLocks } from './engine/dialect.ts';
import { equal } from './equal.ts';
import type { Queries } from './schema.ts';
import { isIn, type SandboxRange, subqueries, withSandboxes } from './subqueries.ts';
import { type Timer, toTimer } from './timers.ts';

export interface Claim {
  readonly worldId: string;
  readonly realNow: number;
  /** When the lease expires, another worker may claim the timers that still exist. */
  readonly leaseMs: number;
  readonly limit: number;
}

/**
 * Claims due timers of a world, earliest first. Two workers never claim the same timer. Timers of frozen worlds are
 * never due.
 */
export async function claimDueTimers(db: Queries, { worldId, realNow, leaseMs, limit }: Claim): Promise<Timer[]> {
  const kind = worldId === LIVE_WORLD.id ? 'live' : 'sandbox';
  const claimed = await db
    .with('due', () =>
      freeTimers(kind, realNow)
        .select(['worldId', 'kind', 'subjectId'])
        // the live world's index does not contain the world
        .$if(kind === 'sandbox', (query) => query.where('worldId', '=', worldId))
        .limit(limit)
        .$if(hasRowLocks(db), (query) => query.forUpdate().skipLocked()),
    )
    .updateTable('timers')
    .set({ leaseUntil: realNow + leaseMs })
    .where((row) =>
      row(
        row.refTuple('worldId', 'kind', 'subjectId'),
        'in',
        row
          .selectFrom('due')
          .select(['due.worldId', 'due.kind', 'due.subjectId'])
          .$asTuple('worldId', 'kind', 'subjectId'),
      ),
    )
    .returning(['worldId', 'kind', 'subjectId', 'dueAt', 'realDueAt'])
    .execute();
  return claimed.sort((a, b) => a.realDueAt! - b.realDueAt!).map(toTimer);
}

/** Releases claimed timers that were not run, so that others can claim them immediately. */
export async function releaseTimers(db: Queries, timers: readonly Timer[], { realNow, leaseMs }: Claim): Promise<void> {
  for (const { worldId, kind, subjectId } of timers) {
    await db
      .updateTable('timers')
      .set({ leaseUntil: null })
      .where(equal({ worldId, kind, subjectId, leaseUntil: realNow + leaseMs }))
      .execute();
  }
}

/** Releases all timers. Only safe while no worker runs: the owner of an SQLite file calls it at startup. */
export async function releaseAllTimers(db: Queries): Promise<void> {
  await db.updateTable('timers').set({ leaseUntil: null }).where('leaseUntil', 'is not', null).execute();
}

/**
 * Looks for due timers. If at least `mostSandboxes` are due, looks in that many sandboxes: each step finds the next
 * sandbox in an index, then its first timer. The cost grows with what is due, not with the sandboxes or their backlog.
 * @returns sandboxes with a timer to claim, longest wait first; `last`: see SandboxRange
 */
export async function dueSandboxes(db: Queries, search: SandboxRange & { readonly realNow: number }) {
  if (search.after === '') {
    const first = freeTimers('sandbox', search.realNow).select(['worldId', 'realDueAt']).limit(search.mostSandboxes);
    const all = await db.selectFrom(first.as('first')).select('worldId').orderBy('realDueAt').execute();
    if (all.length < search.mostSandboxes)
      return { worldIds: [...new Set(all.map(({ worldId }) => worldId))], last: null };
  }
  const next = timersWithInstant('sandbox').select('worldId').where('worldId', '>', sql.ref<string>('sandboxes.id'));
  const found = await withSandboxes(db, search, next.orderBy('worldId').limit(1))
    .selectFrom('sandboxes')
    .where('sandboxes.place', '>', 0)
    .where('sandboxes.id', 'is not', null)
    .select([
      sql<string>`sandboxes.id`.as('id'),
      'sandboxes.place',
      freeTimers('sandbox', search.realNow)
        .select('realDueAt')
        .where('worldId', '=', sql.ref<string>('sandboxes.id'))
        .limit(1)
        .as('dueAt'),
    ])
    .execute();
  const due = found.flatMap(({ id, dueAt }) => (dueAt === null ? [] : [{ id, dueAt }]));
  const last = found.find(({ place }) => place === search.mostSandboxes)?.id ?? null;
  return { worldIds: due.sort((a, b) => a.dueAt - b.dueAt).map(({ id }) => id), last };
}

/**
 * The real time, in milliseconds UTC, at which the next timer of this kind of world can be claimed; null: no timer has
 * a due time.
 */
export async function nextRealDue(db: Queries, kind: WorldKind): Promise<number | null> {
  const free = await db
    .selectFrom('timers')
    .select('realDueAt')
    .where('realDueAt', 'is not', null)
    .where(isIn(kind, 'timers'))
    .where('leaseUntil', 'is', null)
    .orderBy('realDueAt')
    .limit(1)
    .executeTakeFirst();
  // without `isIn(kind)`: SQLite would choose the index of that kind, and read every timer in it
  const leased = await db
    .selectFrom('timers')
    .select(['worldId', 'realDueAt', 'leaseUntil'])
    .where('leaseUntil', 'is not', null)
    .execute();
  const instants = leased.flatMap(({ worldId, realDueAt, leaseUntil }) => {
    const isOfKind = (worldId === LIVE_WORLD.id) === (kind === 'live');
    return isOfKind && realDueAt !== null ? [Math.max(realDueAt, leaseUntil!)] : [];
  });
  if (free) instants.push(free.realDueAt!);
  return instants.length === 0 ? null : Math.min(...instants);
}

/** Timers that have a due time. The conditions match the indexes. */
export function timersWithInstant(kind: WorldKind) {
  return subqueries.selectFrom('timers').where('realDueAt', 'is not', null).where(isIn(kind, 'timers'));
}

/** Due timers that no worker holds, earliest first. */
function freeTimers(kind: WorldKind, realNow: number) {
  return timersWithInstant(kind)
    .where('realDueAt', '<=', realNow)
    .where((row) => row.or([row('leaseUntil', 'is', null), row('leaseUntil', '<=', realNow)]))
    .orderBy('realDueAt');
}
