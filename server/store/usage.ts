import { type RawBuilder, sql } from 'kysely';
import type { CallingApplication } from '../domain/application.ts';
import { prepared } from './engine/prepared.ts';
import type { Queries, WorldUsageRow } from './schema.ts';

/** What the sandboxes of an application contain. Bytes include indexes and the attempts of webhooks. */
export interface Usage extends Omit<WorldUsageRow, 'worldId'> {
  /** Without the default sandbox, and without those being deleted. */
  readonly worlds: number;
}

export interface UsageOfApplication extends Usage {
  readonly applicationId: string;
}

type Place = Pick<CallingApplication, 'id' | 'sandboxWorldId'>;

const SUMS = (['passengers', 'rides', 'events', 'bytes'] as const).map((kind) =>
  sql<number | string>`coalesce(sum(${sql.ref(`worldUsage.${kind}`)}), 0)`.as(kind),
);

function madeWorlds(sandboxWorldId: RawBuilder<unknown>) {
  return sql<number | string>`
    count(case when worlds.id <> ${sandboxWorldId} and coalesce(worlds.ending, '') <> 'deletion' then 1 end)`;
}

export async function usageOf(db: Queries, { id, sandboxWorldId }: Place): Promise<Usage> {
  const { rows } = await usageQuery(db, { id, sandboxWorldId });
  return numbersOf(rows[0]!);
}

const usageQuery = prepared((db, { id, sandboxWorldId }: Place) =>
  db
    .selectFrom('worlds')
    .innerJoin('worldUsage', 'worldUsage.worldId', 'worlds.id')
    .select([...SUMS, madeWorlds(sql`${sandboxWorldId}`).as('worlds')])
    .where('worlds.applicationId', '=', id),
);

/** The applications with the most bytes first. */
export async function largestUsages(db: Queries, limit: number): Promise<readonly UsageOfApplication[]> {
  const rows = await db
    .selectFrom('applications')
    .innerJoin('worlds', 'worlds.applicationId', 'applications.id')
    .innerJoin('worldUsage', 'worldUsage.worldId', 'worlds.id')
    .select(['applications.id', ...SUMS, madeWorlds(sql.ref('applications.sandboxWorldId')).as('worlds')])
    .groupBy('applications.id')
    .orderBy(sql`sum(world_usage.bytes)`, 'desc')
    .orderBy('applications.id')
    .limit(limit)
    .execute();
  return rows.map(({ id, ...sums }) => ({ applicationId: id, ...numbersOf(sums) }));
}

/** PostgreSQL returns sums as texts. */
function numbersOf({ worlds, passengers, rides, events, bytes }: Record<keyof Usage, number | string>): Usage {
  const counts = { worlds: Number(worlds), passengers: Number(passengers), rides: Number(rides) };
  return { ...counts, events: Number(events), bytes: Number(bytes) };
}
