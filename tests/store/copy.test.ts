import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { query } from '../../scripts/support/temporary-database.ts';
import { type Copied, copyToServer, type Step } from '../../server/store/copy/copy.ts';
import { openStore } from '../../server/store/engine/open.ts';
import { type FilePlace, placeOf, type ServerPlace } from '../../server/store/place.ts';
import { engines } from '../support/database.ts';
import { fillEveryTable, withFile } from '../support/every-table.ts';
import { everythingStored } from '../support/everything-stored.ts';
import { run } from '../support/run.ts';
import { newUrl, opened } from '../support/started.ts';

const SOME = 8;
/** More than two batches. */
const MANY = 2500;
const LARGE = 'rides';
const LEASES = ['lease_owner', 'lease_until'];
const INTERRUPTED = 'interrupted';

async function newFile(): Promise<string> {
  const url = await newUrl('sqlite');
  await fillEveryTable(url, (table) => (table === LARGE ? MANY : SOME));
  return url;
}

/** A copy of the file at another path. */
async function twinOf(url: string): Promise<string> {
  const twin = await newUrl('sqlite');
  const path = twin.slice('file:'.length);
  mkdirSync(dirname(path));
  withFile(url, (database) => database.exec(`vacuum into '${path}'`));
  return twin;
}

function copy(from: string, to: string, onStep: (step: Step) => void = () => {}): Promise<Copied> {
  return copyToServer({ from: placeOf(from) as FilePlace, to: placeOf(to) as ServerPlace, onStep });
}

/** Stops like a killed process: nothing happens after this step. */
function stoppedAt(matches: (step: Step) => boolean) {
  return (step: Step) => {
    if (matches(step)) throw new Error(INTERRUPTED);
  };
}

const inCopy = ({ phase, table, rows }: Step) => phase === 'copying' && table === LARGE && rows < MANY;

/** Every row of every table of the server, without leases. Columns are in the same order for both engines. */
async function rowsIn(url: string): Promise<Record<string, string[]>> {
  const store = await opened(openStore(url));
  const stored = Object.entries(await everythingStored(store)).filter(([table]) => !table.startsWith('kysely_'));
  return Object.fromEntries(stored.map(([table, rows]) => [table, rows.map(inOneOrder).sort()]));
}

function inOneOrder(row: string): string {
  const values = Object.entries(JSON.parse(row)).map(([name, value]) => [name, LEASES.includes(name) ? null : value]);
  return JSON.stringify(values.sort());
}

const schemaOf = (url: string) => new URL(url).searchParams.get('schema')!;

describe.runIf(engines.includes('postgres'))('a copy to PostgreSQL', () => {
  test('has every row of every table, and reports their number', async () => {
    const [from, to] = [await newFile(), await newUrl('postgres')];
    const copied = await copy(from, to);
    const [expected, rows] = [await rowsIn(from), await rowsIn(to)];
    expect(rows).toEqual(expected);
    expect(Object.values(rows).filter((some) => some.length === 0)).toEqual([]);
    const counts = Object.entries(rows).map(([table, some]) => [table, some.length] as const);
    expect(Object.fromEntries([...copied].map(([table, content]) => [table, content.rows]))).toEqual(
      Object.fromEntries(counts),
    );
  });

  test('has the same tables and columns as a server creates, and no column is numbered by the database', async () => {
    const [from, to, made] = [await newFile(), await newUrl('postgres'), await newUrl('postgres')];
    await copy(from, to);
    await opened(openStore(made));
    const columnsIn = (url: string) =>
      query(`select table_name, column_name, data_type, column_default, is_nullable, is_identity
        from information_schema.columns where table_schema = '${schemaOf(url)}' order by 1, 2`);
    const columns = await columnsIn(to);
    expect(columns).toEqual(await columnsIn(made));
    const numbered = columns.filter((one) => one.is_identity === 'YES' || /nextval/.test(String(one.column_default)));
    expect(numbered).toEqual([]);
  });

  test('of an empty database is empty', async () => {
    const [from, to] = [await newUrl('sqlite'), await newUrl('postgres')];
    await (await openStore(from)).close();
    await copy(from, to);
    expect(Object.values(await rowsIn(to)).flat()).toEqual([]);
  });

  test('continues after an interruption at any step, and no server starts on an unfinished copy', async () => {
    const [from, to] = [await newFile(), await newUrl('postgres')];
    const seen = new Set<string>();
    const toNextStep = stoppedAt(({ phase, table, rows }) => {
      // all tables take the same steps, and the large one takes several of each
      const name = table === LARGE || run === 'long' ? `${phase} ${table} ${rows}` : phase;
      return !seen.has(name) && Boolean(seen.add(name));
    });
    for (let runs = 0; ; runs++) {
      const ended = await copy(from, to, toNextStep).catch((error: Error) => error.message);
      if (ended !== INTERRUPTED) {
        expect(ended).toBeInstanceOf(Map);
        expect(runs).toBe(seen.size);
        break;
      }
      // there is no table before the first row is copied
      if ([...seen].at(-1)!.startsWith('reading')) continue;
      await expect(openStore(to)).rejects.toThrow(/unfinished copy.*migrate:to-postgres again/);
    }
    for (const rows of [1000, 2000, MANY]) expect(seen).toContain(`copying ${LARGE} ${rows}`);
    expect(await rowsIn(to)).toEqual(await rowsIn(from));
  });

  test('does not repeat what an earlier run copied', async () => {
    const [from, to] = [await newFile(), await newUrl('postgres')];
    await expect(copy(from, to, stoppedAt(inCopy))).rejects.toThrow(INTERRUPTED);
    const steps: Step[] = [];
    await copy(from, to, (step) => steps.push(step));
    const again = steps.filter(({ phase, table }) => phase === 'copying' && table === LARGE);
    expect(again.map(({ rows }) => rows)).toEqual([2000, MANY]);
  });

  test.each([
    ['a changed row', `update ${LARGE} set version = version + 1 where rowid = 1`],
    ['an additional row', `insert into decisions values ('new', 'new', null, 1)`],
    ['a missing row', 'delete from consents where rowid = 1'],
    [
      'another value of a row that was copied already',
      `update ${LARGE} set document = document || ' ' where rowid = 1`,
    ],
  ])('does not continue with %s in the file', async (_, change) => {
    const [from, to] = [await newFile(), await newUrl('postgres')];
    await expect(copy(from, to, stoppedAt(inCopy))).rejects.toThrow(INTERRUPTED);
    withFile(from, (database) => database.exec(change));
    const table = / (rides|decisions|consents) /.exec(` ${change} `)![1];
    await expect(copy(from, to)).rejects.toThrow(new RegExp(`file has changed since then: ${table}\\. To start over`));
    await expect(openStore(to)).rejects.toThrow(/unfinished copy/);
  });

  test('continues after a server used the file without changing data, and from another path', async () => {
    const [from, to] = [await newFile(), await newUrl('postgres')];
    await expect(copy(from, to, stoppedAt(inCopy))).rejects.toThrow(INTERRUPTED);
    withFile(from, (database) => database.exec('update deliveries set lease_owner = null, lease_until = null; vacuum'));
    await (await openStore(from)).close();
    const elsewhere = await twinOf(from);
    await copy(elsewhere, to);
    expect(await rowsIn(to)).toEqual(await rowsIn(elsewhere));
  });

  test('only starts on a schema without tables', async () => {
    const [from, to] = [await newFile(), await newUrl('postgres')];
    const refusal = new RegExp(`The schema ${schemaOf(to)} of the target already has tables`);
    await query(`create schema ${schemaOf(to)} create table mine (id integer)`);
    await expect(copy(from, to)).rejects.toThrow(refusal);
    await query(`drop table ${schemaOf(to)}.mine`);
    await copy(from, to);
    const before = await rowsIn(to);
    await expect(copy(from, to)).rejects.toThrow(refusal);
    expect(await rowsIn(to)).toEqual(before);
  });

  test.each([
    [
      'a migration of a newer server',
      "insert into SCHEMA.kysely_migration values ('9999-later', '2030')",
      /9999-later/,
    ],
    [
      'a column that the file does not have',
      'alter table SCHEMA.rides add more integer',
      /only the target has rides\.more/,
    ],
    ['a column of another type', 'alter table SCHEMA.rides alter version type bigint', /rides\.version \(integer\)/],
    ['a missing table', 'drop table SCHEMA.decisions', /only the source has decisions/],
  ])('does not continue with %s in the target', async (_, change, problem) => {
    const [from, to] = [await newFile(), await newUrl('postgres')];
    await expect(copy(from, to, stoppedAt(inCopy))).rejects.toThrow(INTERRUPTED);
    await query(change.replaceAll('SCHEMA', schemaOf(to)));
    await expect(copy(from, to)).rejects.toThrow(problem);
  });

  test('does not start with a table that this server does not know', async () => {
    const [from, to] = [await newFile(), await newUrl('postgres')];
    withFile(from, (database) => database.exec('create table mine (id integer primary key)'));
    await expect(copy(from, to)).rejects.toThrow(/only the source has mine\.id \(integer\)/);
    await expect(openStore(to)).rejects.toThrow(/unfinished copy/);
  });

  test.each([
    ['a missing row', 'delete from SCHEMA.attempts where number = 1', /copy of attempts differs: 8 rows .* 7 rows/],
    [
      'a changed row',
      "update SCHEMA.rides set status = 'x' where active = 0",
      /copy of rides differs: 2500 .* 2500 rows/,
    ],
  ])('with %s in the target at the end fails', async (_, change, problem) => {
    const [from, to] = [await newFile(), await newUrl('postgres')];
    const beforeChecking = stoppedAt(({ phase }) => phase === 'checking');
    await expect(copy(from, to, beforeChecking)).rejects.toThrow(INTERRUPTED);
    await query(change.replaceAll('SCHEMA', schemaOf(to)));
    await expect(copy(from, to)).rejects.toThrow(problem);
    await expect(openStore(to)).rejects.toThrow(/unfinished copy/);
  });

  test('succeeds for only one of two processes that copy to the same target', async () => {
    const [from, to] = [await newFile(), await newUrl('postgres')];
    const twin = await twinOf(from);
    const ended = await Promise.allSettled([copy(from, to), copy(twin, to)]);
    expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await rowsIn(to)).toEqual(await rowsIn(from));
  });

  test.each([
    ['meets another process on its way stops', 'return null', /Another process is copying to the same target/],
    [
      'loses PostgreSQL says that it can be run again',
      'perform pg_terminate_backend(pg_backend_pid()); return new',
      /The copy was interrupted: .*\. Run the command again to continue/,
    ],
  ])('that %s', async (_, inUpdate, problem) => {
    const [from, to] = [await newFile(), await newUrl('postgres')];
    const schema = schemaOf(to);
    await expect(copy(from, to, stoppedAt(inCopy))).rejects.toThrow(INTERRUPTED);
    await query(`create function ${schema}.f() returns trigger language plpgsql as 'begin ${inUpdate}; end'`);
    await query(
      `create trigger t before update on ${schema}.unfinished_copy for each row execute function ${schema}.f()`,
    );
    await expect(copy(from, to)).rejects.toThrow(problem);
    await query(`drop function ${schema}.f cascade`);
    await copy(from, to);
    expect(await rowsIn(to)).toEqual(await rowsIn(from));
  });

  test('stores no row of a batch that PostgreSQL refuses, and the error names the rows', async () => {
    const [from, to] = [await newFile(), await newUrl('postgres')];
    await expect(copy(from, to, stoppedAt(inCopy))).rejects.toThrow(INTERRUPTED);
    await query(
      `alter table ${schemaOf(to)}.rides add check (version <> 1 or true), add check (id not like 'key 2400%') not valid`,
    );
    await expect(copy(from, to)).rejects.toThrow(/refused rows of rides with keys from \["key .* to \["key/);
    const [stored] =
      await query(`select count(*)::int as n, (select copied_rows::int from ${schemaOf(to)}.unfinished_copy
      where table_name = 'rides') as told from ${schemaOf(to)}.rides`);
    expect(stored!.n).toBe(stored!.told);
    expect(stored!.n).toBeLessThan(MANY);
  });

  test('to a database with another encoding is refused', async () => {
    const name = `${schemaOf(await newUrl('postgres'))}_latin`;
    await query(`create database ${name} encoding 'LATIN1' locale 'C' template template0`);
    try {
      const to = new URL(await newUrl('postgres'));
      to.pathname = name;
      await expect(copy(await newFile(), to.href)).rejects.toThrow(/has the encoding LATIN1\. Create one with .* UTF8/);
    } finally {
      await query(`drop database ${name}`);
    }
  });

  test('has up-to-date table statistics', async () => {
    const [from, to] = [await newFile(), await newUrl('postgres')];
    await copy(from, to);
    const store = await opened(openStore(to));
    const { rows } = await sql<{
      n: number;
    }>`select reltuples::int as n from pg_class where oid = ${LARGE}::regclass`.execute(store.db);
    expect(rows).toEqual([{ n: MANY }]);
  });
});
