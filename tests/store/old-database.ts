import { mkdirSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Dialect, Kysely, type Migration, Migrator } from 'kysely';
import Libsql from 'libsql';
import pg from 'pg';
import { newDatabase, type TemporaryDatabase } from '../../scripts/support/temporary-database.ts';
import { postgresDialect, sqliteDialect } from '../../server/store/engine/dialect.ts';
import type { Engine } from '../../server/store/engine/open.ts';
import { NO_LOG } from './samples.ts';

export type Rows = Readonly<Record<string, readonly object[]>>;

/** The names of all migrations, in order. */
export const MIGRATIONS = readdirSync('server/store/migrations')
  .map((file) => file.replace(/\.ts$/, ''))
  .sort();

/** @param layers rows by the last migration that their server had, oldest first */
export async function oldDatabase(engine: Engine, layers: Readonly<Record<string, Rows>>): Promise<TemporaryDatabase> {
  const database = await newDatabase(engine);
  const { dialect, schema } = reach(engine, database.url);
  const db = new Kysely<Record<string, object>>({ dialect });
  const migrator = new Migrator({ db, provider: { getMigrations }, migrationTableSchema: schema });
  for (const [migration, rows] of Object.entries(layers)) {
    const { error } = await migrator.migrateTo(migration);
    if (error !== undefined) throw error;
    for (const [table, values] of Object.entries(rows)) await db.insertInto(table).values(values).execute();
  }
  await db.destroy();
  return database;
}

async function getMigrations(): Promise<Record<string, Migration>> {
  const modules = MIGRATIONS.map((name) => import(`../../server/store/migrations/${name}.ts`));
  return Object.fromEntries((await Promise.all(modules)).map((module, n) => [MIGRATIONS[n], module]));
}

/** How to reach a database before its tables are current. */
export function reach(engine: Engine, url: string): { dialect: Dialect; schema?: string } {
  if (engine === 'sqlite') {
    const path = url.slice('file:'.length);
    mkdirSync(dirname(path), { recursive: true });
    return { dialect: sqliteDialect(new Libsql(path), { assertThere: () => {}, assertRoom: () => {} }, NO_LOG) };
  }
  const address = new URL(url);
  const schema = address.searchParams.get('schema')!;
  address.searchParams.delete('schema');
  const pool = new pg.Pool({ connectionString: address.href, options: `-c search_path=${schema}` });
  return { dialect: postgresDialect(pool), schema };
}
