import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { type Engine, openStore, type Store } from '../../server/store/open.ts';
import { run } from './run.ts';

const SERVER_URL = process.env.TEST_DATABASE_URL;

const hasPostgres = Boolean(SERVER_URL) && run !== 'fast';

/** What a test that goes by engine runs on: SQLite in the fast run, PostgreSQL in the others, where TEST_DATABASE_URL says where one is. */
export const engines: readonly Engine[] = hasPostgres ? ['postgres'] : ['sqlite'];

/** What a test runs on that compares the engines, or that only the full run has. */
export const everyEngine: readonly Engine[] = hasPostgres ? ['sqlite', 'postgres'] : ['sqlite'];

export interface TestDatabase {
  /** As DATABASE_URL takes it. */
  readonly url: string;
  drop(): Promise<void>;
}

/** A database of a test's own, still empty: a file in a new folder, or a new schema. */
export async function newDatabase(engine: Engine): Promise<TestDatabase> {
  return engine === 'sqlite' ? newFile() : newSchema();
}

/** A store on a database of its own, as `openStore` leaves a new one. */
export async function openTestStore(engine: Engine): Promise<Store> {
  const { url, drop } = await (engine === 'sqlite' ? copyFile() : takeSchema());
  const store = await openStore(url);
  const close = async () => {
    await store.close();
    await drop();
  };
  return { ...store, close };
}

async function newFile(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'ridehail-'));
  return { url: `file:${folder}/data/ridehail.db`, drop: () => rm(folder, { recursive: true, force: true }) };
}

async function newSchema(): Promise<TestDatabase> {
  const schema = `${schemasOf(process.ppid)}${randomUUID().replaceAll('-', '')}`;
  const url = new URL(postgresUrl());
  url.searchParams.set('schema', schema);
  return { url: url.href, drop: () => dropSchema(schema) };
}

async function dropSchema(schema: string): Promise<void> {
  await query(`drop schema if exists ${schema} cascade`);
}

// migrating takes longer than most tests, so a migrated file is copied, and a migrated schema used again
let migratedFile: Promise<Buffer> | undefined;
const emptySchemas: TestDatabase[] = [];

async function copyFile(): Promise<TestDatabase> {
  migratedFile ??= migrateFile();
  const file = await newFile();
  const path = file.url.slice('file:'.length);
  await mkdir(dirname(path));
  await writeFile(path, await migratedFile);
  return file;
}

async function migrateFile(): Promise<Buffer> {
  const { url, drop } = await newFile();
  await (await openStore(url)).close();
  return readFile(url.slice('file:'.length)).finally(drop);
}

async function takeSchema(): Promise<TestDatabase> {
  const database = emptySchemas.pop() ?? (await newSchema());
  const empty = async () => {
    await query(EMPTY(new URL(database.url).searchParams.get('schema')!));
    emptySchemas.push(database);
  };
  return { url: database.url, drop: empty };
}

/** Deletes what is in a schema but for the names of its migrations. No table refers to another. */
const EMPTY = (schema: string) => `do $$ declare name text; begin
  for name in select tablename from pg_tables where schemaname = '${schema}' and tablename not like 'kysely%' loop
    execute format('delete from ${schema}.%I', name);
  end loop;
end $$`;

/** How the names of the schemas begin that the processes of a run of tests make. */
const schemasOf = (runnersPid: number) => `test_${runnersPid}_`;

/** Drops what this run of tests has left. */
export async function dropSchemas(): Promise<void> {
  const left = await query(`select nspname from pg_namespace where starts_with(nspname, '${schemasOf(process.pid)}')`);
  // one by one: all at once would be more locks than a transaction may have
  for (const { nspname } of left) await dropSchema(String(nspname));
}

async function query(statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: postgresUrl() });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

function postgresUrl(): string {
  if (!SERVER_URL) throw new Error('TEST_DATABASE_URL must name a PostgreSQL database.');
  return SERVER_URL;
}
