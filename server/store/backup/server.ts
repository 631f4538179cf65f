import { spawn } from 'node:child_process';
import { once } from 'node:events';
import pg from 'pg';
import { SECOND_MS } from '../../domain/time.ts';
import { LONGEST_CONNECT_MS } from '../engine/connections.ts';
import type { ServerLocation } from '../location.ts';
import { keep } from './keep.ts';

/** Backups contain the tables and rows; the target database decides who can access them. */
const WITHOUT_ROLES = ['--no-owner', '--no-privileges'];

/** Writes a consistent copy of the database to a new file with pg_dump. Servers can keep writing. */
export function backUpServer(location: ServerLocation, file: string): Promise<void> {
  const { schema } = location;
  return keep(file, (unfinished) =>
    run(location, 'pg_dump', [
      ...['--format=custom', `--file=${unfinished}`, `--schema=${schema ?? 'public'}`],
      ...WITHOUT_ROLES,
    ]),
  );
}

/** Fills an empty schema with pg_restore, all or nothing. Throws when the schema has tables. */
export async function restoreServer(location: ServerLocation, file: string): Promise<void> {
  const schema = location.schema ?? 'public';
  const client = new pg.Client({ connectionString: location.url.href, connectionTimeoutMillis: LONGEST_CONNECT_MS });
  await client.connect();
  const tables = async () =>
    (await client.query('select tablename from pg_tables where schemaname = $1', [schema])).rows.map(
      ({ tablename }) => tablename,
    );
  try {
    if ((await tables()).length > 0) {
      throw new Error(`The schema ${schema} already has tables. Set DATABASE_URL to an empty database.`);
    }
    await client.query(`create schema if not exists ${schema}`);
    const whole = ['--single-transaction', '--exit-on-error', `--schema=${schema}`, ...WITHOUT_ROLES];
    await run(location, 'pg_restore', [...whole, file]);
    // pg_restore succeeds even if the file contains nothing of this schema
    if (!(await tables()).includes('kysely_migration')) {
      throw new Error(
        `${file} contains no backup of the schema ${schema}. DATABASE_URL must name the schema of the backup.`,
      );
    }
  } finally {
    await client.end();
  }
}

/** Runs a PostgreSQL client program. Its messages go to standard error. */
async function run({ url }: ServerLocation, program: string, parameters: readonly string[]): Promise<void> {
  // every user of the machine can read a process's arguments
  const database = new URL(url);
  database.password = '';
  database.searchParams.delete('password');
  // like the server: the last query parameter, or else the password before the host
  const password = url.searchParams.getAll('password').at(-1) || decodeURIComponent(url.password);
  const patience = { PGCONNECT_TIMEOUT: String(LONGEST_CONNECT_MS / SECOND_MS) };
  const env = { ...patience, ...process.env, ...(password && { PGPASSWORD: password }) };
  const child = spawn(program, [`--dbname=${database.href}`, ...parameters], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code, signal] = await once(child, 'exit').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw new Error(`${program} is not installed. On Debian, install the package postgresql-client.`);
  });
  if (signal !== null) throw new Error(`${program} was ended by ${signal}.`);
  if (code !== 0) throw new Error(`${program} failed with exit code ${code}.`);
}
