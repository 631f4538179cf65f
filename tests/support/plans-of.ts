import { CompiledQuery, createQueryId, type Kysely, type RootOperationNode, sql } from 'kysely';
import type { Store } from '../../server/store/engine/open.ts';
import type { Database } from '../../server/store/schema.ts';
import { watchedDatabase } from './counted-store.ts';

/** The query plans of some work, one step per line. By default, the database has analyzed its tables. */
export async function plansOf(
  { db, engine }: Pick<Store, 'db' | 'engine'>,
  work: (db: Kysely<Database>) => Promise<unknown>,
  { analyzed = true } = {},
): Promise<string[]> {
  const run: RootOperationNode[] = [];
  await work(watchedDatabase(db, (statement) => run.push(statement)));
  if (analyzed) await analyzeTables({ db, engine });
  const steps: string[] = [];
  for (const query of run) {
    const { sql: text, parameters } = db.getExecutor().compileQuery(query, createQueryId());
    const explain = engine === 'sqlite' ? 'explain query plan' : 'explain';
    const { rows } = await db.executeQuery<object>(CompiledQuery.raw(`${explain} ${text}`, [...parameters]));
    steps.push(...rows.map((row) => String(Object.values(row).at(-1))));
  }
  return steps;
}

/** Analyzes the tables of one store. A plain `analyze` would read the schemas of all other tests as well. */
export async function analyzeTables({ db, engine }: Pick<Store, 'db' | 'engine'>): Promise<void> {
  if (engine === 'sqlite') {
    await sql`analyze`.execute(db);
    return;
  }
  const tables = sql<{ name: string }>`select tablename as name from pg_tables where schemaname = current_schema()`;
  const { rows } = await tables.execute(db);
  await sql`analyze ${sql.join(rows.map(({ name }) => sql.table(name)))}`.execute(db);
}
