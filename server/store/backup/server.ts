import { spawn } from 'node:child_process';
import { once } from 'node:events';
import pg from 'pg';
import { SECOND_MS } from '../../domain/time.ts';
import { LONGEST_CONNECT_MS } from '../connections.ts';
import type { ServerPlace } from '../place.ts';
import { keep } from './keep.ts';

/** Backups hold the tables and their rows; who may use them is up to the database that they are restored to. */
const WITHOUT_ROLES = ['--no-owner', '--no-privileges'];

/** Writes the rows of one instant to a new file, with pg_dump. Servers may go on writing. */
export function backUpServer(place: ServerPlace, file: string): Promise<void> {
  const { schema } = place;
  return keep(file, (unfinished) =>
    run(place, 'pg_dump', [
      ...['--format=custom', `--file=${unfinished}`, `--schema=${schema ?? 'public'}`],
      ...WITHOUT_ROLES,
    ]),
  );
}

/** Fills an empty schema, with pg_restore, all or nothing. Throws when there are tables in it. */
export async function restoreServer(place: ServerPlace, file: string): Promise<void> {
  const schema = place.schema ?? 'public';
  const client = new pg.Client({ connectionString: place.url.href, connectionTimeoutMillis: LONGEST_CONNECT_MS });
  await client.connect();
  const tables = async () =>
    (await client.query('select tablename from pg_tables where schemaname = $1', [schema])).rows.map(
      ({ tablename }) => tablename,
    );
  try {
    if ((await tables()).length > 0) {
      throw new Error(`The schema ${schema} has tables. Name an empty database in DATABASE_URL.`);
    }
    await client.query(`create schema if not exists ${schema}`);
    const whole = ['--single-transaction', '--exit-on-error', `--schema=${schema}`, ...WITHOUT_ROLES];
    await run(place, 'pg_restore', [...whole, file]);
    // pg_restore is content if the file has nothing of this schema
    if (!(await tables()).includes('kysely_migration')) {
      throw new Error(`${file} holds no backup of the schema ${schema}. DATABASE_URL must name the same schema.`);
    }
  } finally {
    await client.end();
  }
}

/** Runs a client of PostgreSQL. Its messages go to standard error. */
async function run({ url }: ServerPlace, program: string, parameters: readonly string[]): Promise<void> {
  // every user of the machine can read the arguments of a process
  const database = new URL(url);
  database.password = '';
  database.searchParams.delete('password');
  // as the server reads it: the last parameter, or else what stands before the host
  const password = url.searchParams.getAll('password').at(-1) || decodeURIComponent(url.password);
  const patience = { PGCONNECT_TIMEOUT: String(LONGEST_CONNECT_MS / SECOND_MS) };
  const env = { ...patience, ...process.env, ...(password && { PGPASSWORD: password }) };
  const child = spawn(program, [`--dbname=${database.href}`, ...parameters], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'exit').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw new Error(`${program} is not installed. Debian has it in the package postgresql-client.`);
  });
  if (code !== 0) throw new Error(`${program} ended with ${code}.`);
}
