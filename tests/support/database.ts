import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import pg from 'pg';
import { newDatabase, type TemporaryDatabase } from '../../scripts/support/temporary-database.ts';
import { CONNECTION_BOUNDS, type ConnectionBounds } from '../../server/store/engine/connections.ts';
import { type Engine, type OpenStore, openStore } from '../../server/store/engine/open.ts';
import { run } from './run.ts';

const hasPostgres = Boolean(process.env.TEST_DATABASE_URL) && run !== 'fast';

/** The engine for most tests: SQLite in the fast run. In the other runs, PostgreSQL if TEST_DATABASE_URL is set. */
export const engines: readonly Engine[] = hasPostgres ? ['postgres'] : ['sqlite'];

/** The engines for tests that compare them, and for tests of the full run only. */
export const everyEngine: readonly Engine[] = hasPostgres ? ['sqlite', 'postgres'] : ['sqlite'];

/** Several test workers have stores at once, and PostgreSQL allows only 100 connections. */
const SMALL_POOLS: typeof CONNECTION_BOUNDS = {
  ...CONNECTION_BOUNDS,
  requests: atMost(6, CONNECTION_BOUNDS.requests),
  workers: atMost(2, CONNECTION_BOUNDS.workers),
};

function atMost(most: number, bounds: ConnectionBounds): ConnectionBounds {
  return { ...bounds, most };
}

/** A store on its own empty database. @param now the clock of the cache: see openStore */
export async function openTestStore(
  engine: Engine,
  bounds = SMALL_POOLS,
  now?: () => number,
): Promise<OpenStore & { readonly url: string }> {
  const { url, drop } = await (engine === 'sqlite' ? copyFile() : takeSchema());
  const store = await openStore(url, { bounds, now });
  const close = async () => {
    await store.close();
    await drop();
  };
  return { ...store, close, url };
}

// migrations take longer than most tests, so SQLite copies a migrated file and PostgreSQL reuses a migrated schema
let migratedFile: Promise<Buffer> | undefined;
const emptySchemas: TemporaryDatabase[] = [];
// kept, because a new connection would have to read the catalog again
let emptying: pg.Pool | undefined;

async function copyFile(): Promise<TemporaryDatabase> {
  const file = await newDatabase('sqlite');
  await createFile(file.url);
  return file;
}

/** Creates an SQLite file with the tables of the server. @param url the URL of a file that does not exist yet */
export async function createFile(url: string): Promise<void> {
  migratedFile ??= migrateFile();
  const path = url.slice('file:'.length);
  await mkdir(dirname(path));
  await writeFile(path, await migratedFile);
}

async function migrateFile(): Promise<Buffer> {
  const { url, drop } = await newDatabase('sqlite');
  await (await openStore(url)).close();
  return readFile(url.slice('file:'.length)).finally(drop);
}

async function takeSchema(): Promise<TemporaryDatabase> {
  const database = emptySchemas.pop() ?? (await newDatabase('postgres'));
  const empty = async () => {
    emptying ??= new pg.Pool({ connectionString: process.env.TEST_DATABASE_URL, max: 1, allowExitOnIdle: true });
    await emptying.query(EMPTY(new URL(database.url).searchParams.get('schema')!));
    emptySchemas.push(database);
  };
  return { url: database.url, drop: empty };
}

/** Deletes all rows of a schema except the names of its migrations. There are no foreign keys, so any order works. */
const EMPTY = (schema: string) => `do $$ declare name text; begin
  for name in select tablename from pg_tables where schemaname = '${schema}' and tablename not like 'kysely%' loop
    execute format('delete from ${schema}.%I', name);
  end loop;
end $$`;
