import { readDatabaseUrl } from '../config.ts';
import { SECOND_MS } from '../domain/time.ts';
import { type Copied, copyToServer, type Progress } from '../store/copy/copy.ts';
import { databaseLocationOf } from '../store/location.ts';
import { audited, command, type Said } from './command.ts';
import { Misused, needed } from './command-line.ts';

const HELP = `Copies an SQLite database to an empty PostgreSQL database.

  ridehail-server copy-to-postgres --to postgres://USER@HOST/DATABASE [--from file:PATH]

  --to URL    The PostgreSQL database, which must be empty. ?schema=NAME selects a schema, and creates it if it is missing.
  --from URL  The SQLite file. Default: DATABASE_URL.
  --json      Print JSON.
  --help      Print this help.

Stop the server first, because only one process can own the file. The copy does not change the file. It compares the number of
rows and a checksum of each table in both databases. It is one transaction: if it fails, nothing remains in PostgreSQL. If it was
interrupted, run the same command again.

Other users of this machine can read a command's arguments: set PGPASSWORD instead of including the password in --to.`;

const OPTIONS = { from: { type: 'string' }, to: { type: 'string' } } as const;
const SAY_EVERY_MS = 2 * SECOND_MS;
/** Enough to compare two checksums by eye. */
const DIGITS_SHOWN = 16;

export const copyToPostgres = command(HELP, OPTIONS, [], async (_, { from, to }) => {
  const places = { from: fileOf(from ?? readDatabaseUrl(process.env)), to: serverOf(needed(to, '--to postgres://…')) };
  const onStep = sayProgress(() => performance.now());
  const copied = await audited('migrate_to_postgres', () => copyToServer({ ...places, onStep }));
  return report(copied, shownUrl(needed(to, '--to')));
});

function fileOf(url: string) {
  const location = locationIn(url, '--from');
  if (location?.engine === 'sqlite') return location;
  throw new Misused('--from or DATABASE_URL must be file: and the path of an SQLite file.');
}

function serverOf(url: string) {
  const location = locationIn(url, '--to');
  if (location?.engine === 'postgres') return location;
  throw new Misused('--to must be postgres://USER@HOST/DATABASE.');
}

/** The location in a URL; null if it belongs to neither engine. */
function locationIn(url: string, option: string) {
  if (!/^(file|postgres(ql)?):/.test(url)) return null;
  try {
    return databaseLocationOf(url, option);
  } catch (error) {
    throw new Misused(`${option} is invalid: ${error instanceof Error ? error.message : error}.`);
  }
}

/** Prints progress to standard error, at intervals and whenever a new table begins. */
function sayProgress(now: () => number): (step: Progress) => void {
  let [said, sayAgainAt] = ['', 0];
  return ({ phase, table, rows, of }) => {
    const what = `${phase} ${table}`;
    if (what === said && now() < sayAgainAt && rows !== of) return;
    [said, sayAgainAt] = [what, now() + SAY_EVERY_MS];
    console.error(`${what}: ${rows} of ${of} rows`);
  };
}

function report(copied: Copied, url: string): Said {
  const tables = [...copied].map(([table, content]) => ({ table, ...content }));
  const width = (texts: readonly unknown[]) => Math.max(...texts.map((text) => String(text).length));
  const [names, counts] = [width(tables.map(({ table }) => table)), width(tables.map(({ rows }) => rows))];
  const lines = tables.map(({ table, rows, checksum }) =>
    [table.padEnd(names), String(rows).padStart(counts), checksum.slice(0, DIGITS_SHOWN)].join('  '),
  );
  const text = [
    ...lines,
    'Rows and checksums are the same in both databases.',
    `Start the server with DATABASE_URL=${url}`,
    'While it runs, never start a server on the SQLite file: receivers would get webhooks twice.',
  ].join('\n');
  return { json: { tables, database_url: url }, text };
}

/** The URL without its password. */
function shownUrl(url: string): string {
  const shown = new URL(url);
  if (shown.password !== '') shown.password = 'PASSWORD';
  if (shown.searchParams.has('password')) shown.searchParams.set('password', 'PASSWORD');
  return shown.href;
}
