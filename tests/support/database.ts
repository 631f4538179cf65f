import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

/** A store on a database of its own, which goes when the store is closed. */
export async function openTestStore(engine: Engine): Promise<Store> {
  const { url, drop } = await newDatabase(engine);
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
  if (!SERVER_URL) throw new Error('TEST_DATABASE_URL must name a PostgreSQL database.');
  const schema = `test_${randomUUID().replaceAll('-', '')}`;
  const url = new URL(SERVER_URL);
  url.searchParams.set('schema', schema);
  return { url: url.href, drop: () => dropSchema(SERVER_URL, schema) };
}

async function dropSchema(serverUrl: string, schema: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(`drop schema if exists ${schema} cascade`);
  } finally {
    await client.end();
  }
}
