import { sql } from 'kysely';
import { rowsOf } from './engine/changes.ts';
import { prepared } from './engine/prepared.ts';
import type { Queries, WorldUsageRow } from './schema.ts';

/** What the sandboxes of an application contain. Bytes include indexes and the attempts of webhooks. */
export interface Usage extends Omit<WorldUsageRow, 'worldId'> {
  readonly worlds: number;
}

export async function usageOf(db: Queries, applicationId: string): Promise<Usage> {
  const { rows } = await usageQuery(db, { applicationId });
  return numbersOf(rows[0]!);
}

const KINDS = ['passengers', 'rides', 'events', 'bytes'] as const;

const usageQuery = prepared((db, { applicationId }: { readonly applicationId: string }) =>
  db
    .selectFrom('worlds')
    .innerJoin('worldUsage', 'worldUsage.worldId', 'worlds.id')
    .select((row) => [
      row.fn.countAll().as('worlds'),
      ...KINDS.map((kind) => row.fn.coalesce(row.fn.sum(`worldUsage.${kind}`), row.lit(0)).as(kind)),
    ])
    .where('worlds.applicationId', '=', applicationId),
);

export interface UsageOfApplication extends Usage {
  readonly applicationId: string;
}

/** The applications with the most bytes first. */
export async function largestUsages(db: Queries, limit: number): Promise<readonly UsageOfApplication[]> {
  const sums = sql.join(KINDS.map((kind) => sql`sum(${sql.ref(kind)}) as ${sql.ref(kind)}`));
  const rows = await rowsOf(
    db,
    sql<UsageOfApplication>`
      select application_id, count(*) as worlds, ${sums} from world_usage join worlds on worlds.id = world_id
      group by application_id order by sum(bytes) desc, application_id limit ${limit}`,
  );
  return rows.map((row) => ({ ...numbersOf(row), applicationId: row.applicationId }));
}

/** PostgreSQL returns sums as texts. */
function numbersOf(row: Record<keyof Usage, unknown>): Usage {
  const { worlds, passengers, rides, events, bytes } = row;
  return {
    worlds: Number(worlds),
    passengers: Number(passengers),
    rides: Number(rides),
    events: Number(events),
    bytes: Number(bytes),
  };
}
