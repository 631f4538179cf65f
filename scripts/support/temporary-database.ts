import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Engine } from '../../server/store/engine/open.ts';

export interface TemporaryDatabase {
  /** For DATABASE_URL. */
  readonly url: string;
  drop(): Promise<void>;
}

/** Creates an empty database: a file in a new folder, or a new schema. */
export async function newDatabase(engine: Engine): Promise<TemporaryDatabase> {
  return engine === 'sqlite' ? newFile() : newSchema();
}

async function newFile(): Promise<TemporaryDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'ridehail-'));
  return { url: `file:${folder}/data/ridehail.db`, drop: () => rm(folder, { recursive: true, force: true }) };
}

async function newSchema(): Promise<TemporaryDatabase> {
  const schema = `${schemasOf(process.ppid)}${randomUUID().replaceAll('-', '')}`;
  const url = new URL(postgresUrl());
  url.searchParams.set('schema', schema);
  return { url: url.href, drop: () => dropSchema(schema) };
}

async function dropSchema(schema: string): Promise<void> {
  await query(`drop schema if exists ${schema} cascade`);
}

/** The prefix of the schema names of one test run. */
const schemasOf = (runnersPid: number) => `test_${runnersPid}_`;

/** Drops the schemas that this test run left behind. */
export async function dropSchemas(): Promise<void> {
  const left = await query(`select nspname from pg_namespace where starts_with(nspname, '${schemasOf(process.pid)}')`);
  // one by one: all at once, they would exceed the maximum number of locks per transaction
  for (const { nspname } of left) await dropSchema(String(nspname));
}

/** Queries the PostgreSQL server that TEST_DATABASE_URL names. */
export async function query(statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: postgresUrl() });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

function postgresUrl(): string {
  const url = process.env.TEST_DATABASE_URL;
  if (!url) throw new Error('TEST_DATABASE_URL must name a PostgreSQL database.');
  return url;
}
