import { existsSync, mkdirSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { dirname } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { query } from '../../scripts/support/temporary-database.ts';
import { type Copied, copyToServer, type Progress } from '../../server/store/copy/copy.ts';
import { openSource, type Row, type Source } from '../../server/store/copy/source.ts';
import { openStore } from '../../server/store/engine/open.ts';
import { databaseLocationOf, type FileLocation, type ServerLocation } from '../../server/store/location.ts';
import { engines } from '../support/database.ts';
import { fillEveryTable, withFile } from '../support/every-table.ts';
import { everythingStored } from '../support/everything-stored.ts';
import { listen } from '../support/listen.ts';
import { run } from '../support/run.ts';
import { silentProxy } from '../support/silent-proxy.ts';
import { newUrl, opened } from '../support/started.ts';

const SOME = 8;
/** More than two pages. */
const MANY = 2500;
const LARGE = 'rides';
const LEASES = ['lease_owner', 'lease_until'];
const INTERRUPTED = 'interrupted';

const pathOf = (url: string) => url.slice('file:'.length);

/** A file with rows in every table. */
async function newFile(counts = (_table: string) => SOME): Promise<string> {
  const url = await newUrl('sqlite');
  await fillEveryTable(url, counts);
  return url;
}

async function newUrls(): Promise<[from: string, to: string]> {
  return [await newFile((table) => (table === LARGE ? MANY : SOME)), await newUrl('postgres')];
}

function copy(from: string, to: string, onStep: (step: Progress) => void = () => {}): Promise<Copied> {
  return copyToServer({
    from: databaseLocationOf(from) as FileLocation,
    to: databaseLocationOf(to) as ServerLocation,
    onStep,
  });
}

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

function sourceOf(url: string): Source {
  const source = openSource(pathOf(url));
  onTestFinished(source.close);
  return source;
}

function rowsOf(url: string, name: string): Row[] {
  const { tables, pages } = sourceOf(url);
  return [...pages(tables.find((one) => one.name === name)!)].flat();
}

const schemaOf = (url: string) => new URL(url).searchParams.get('schema')!;

async function assertNothingIn(url: string): Promise<void> {
  expect(await query(`select 1 from pg_namespace where nspname = '${schemaOf(url)}'`)).toEqual([]);
}

/** The URL of a proxy to PostgreSQL that replaces a text in what clients send. */
async function replacing(url: string, text: string, other: string): Promise<string> {
  const through = new URL(url);
  const listener = createServer((client) => {
    const server = connect(Number(through.port || 5432), new URL(url).hostname);
    client.on('data', (data) => server.write(data.toString('latin1').replaceAll(text, other), 'latin1'));
    client.on('close', () => server.destroy());
    server.pipe(client);
  });
  const { host } = new URL(await listen(listener));
  onTestFinished(() => void listener.close());
  return Object.assign(new URL(url), { host }).href;
}

describe.runIf(engines.includes('postgres'))('a copy to PostgreSQL', () => {
  test('has every row of every table, in the tables of a server, and reports their number', async () => {
    const [[from, to], made] = [await newUrls(), await newUrl('postgres')];
    const copied = await copy(from, to);
    const statistics = `select reltuples from pg_class where oid = '${schemaOf(to)}.${LARGE}'::regclass`;
    expect(await query(statistics)).toEqual([{ reltuples: MANY }]);
    const [expected, rows] = [await rowsIn(from), await rowsIn(to)];
    expect(rows).toEqual(expected);
    expect(Object.fromEntries([...copied].map(([table, content]) => [table, content.rows]))).toEqual(
      Object.fromEntries(Object.keys(rows).map((table) => [table, table === LARGE ? MANY : SOME])),
    );

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

  test('that is interrupted at any step leaves nothing behind, and can be run again', async () => {
    const [from, to] = await newUrls();
    const seen = new Set<string>();
    const stopAtNextStep = ({ phase, table, rows }: Progress) => {
      // all tables take the same steps, and the large one takes several of each
      const step = table === LARGE || run === 'long' ? `${phase} ${table} ${rows}` : phase;
      if (seen.has(step)) return;
      seen.add(step);
      throw new Error(INTERRUPTED);
    };
    let runs = 0;
    for (; (await copy(from, to, stopAtNextStep).catch(({ message }) => message)) === INTERRUPTED; runs++) {
      await assertNothingIn(to);
    }
    expect(runs).toBe(seen.size);
    for (const rows of [1000, 2000, MANY]) expect(seen).toContain(`copying ${LARGE} ${rows}`);
    expect(await rowsIn(to)).toEqual(await rowsIn(from));
  });

  test.each(['copying', 'checking'] as const)('that loses PostgreSQL while %s leaves nothing behind', async (phase) => {
    const [from, to] = await newUrls();
    const proxy = await silentProxy(to);
    const cut = (step: Progress) =>
      void (step.phase === phase && step.table === LARGE && step.rows < MANY && proxy.cut());
    await expect(copy(from, proxy.url, cut)).rejects.toThrow(
      /^The copy was interrupted: .+\. Run the command again\.$/,
    );
    await assertNothingIn(to);
    await copy(from, to);
  });

  const ORPHAN =
    /refused a row of events: .*foreign key.* Key \(world_id, ride_id\)=\(key 3 .* not present in table "rides"/;
  const NUL = /cannot store a row of timers: kind has a NUL character\. Its rowid is 8\./;
  test.each([
    ['an unknown table', 'create table mine (id integer primary key)', /relation "mine" does not exist/],
    ['an unknown column', 'alter table rides add more integer', /refused a row of rides: .*more/],
    ['a row whose parent is missing', "delete from rides where id like 'key 3 %'", ORPHAN],
    ['a text with a NUL character', "update timers set kind = 'a' || char(0) where rowid = 8", NUL],
  ])('of %s fails, and leaves nothing behind', async (_, change, problem) => {
    const [from, to] = await newUrls();
    withFile(from, (database) => database.exec(`pragma foreign_keys = off; ${change}`));
    await expect(copy(from, to)).rejects.toThrow(problem);
    await assertNothingIn(to);
  });

  test('whose content differs fails, and leaves nothing behind', async () => {
    const [from, to] = await newUrls();
    const changed = await replacing(to, '2400 ', '2400_');
    const problem = /^The copy of rides differs: 2500 rows with the checksum .* in the file, 2500 rows with the/;
    await expect(copy(from, changed)).rejects.toThrow(problem);
    await assertNothingIn(to);
  });

  test('only starts on a schema without tables', async () => {
    const [from, to] = await newUrls();
    const refusal = new RegExp(`The schema ${schemaOf(to)} of the target already has tables`);
    await query(`create schema ${schemaOf(to)} create table mine (id integer)`);
    await expect(copy(from, to)).rejects.toThrow(refusal);
    await query(`drop table ${schemaOf(to)}.mine`);
    await copy(from, to);
    const before = await rowsIn(to);
    await expect(copy(from, to)).rejects.toThrow(refusal);
    expect(await rowsIn(to)).toEqual(before);
  });

  test('succeeds for only one of two processes that copy to the same target', async () => {
    const [from, to] = await newUrls();
    const twin = await newUrl('sqlite');
    mkdirSync(dirname(pathOf(twin)));
    withFile(from, (database) => database.exec(`vacuum into '${pathOf(twin)}'`));
    const ended = await Promise.allSettled([copy(from, to), copy(twin, to)]);
    expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(String(ended.map((one) => one.status === 'rejected' && one.reason))).toMatch(/already has tables/);
    expect(await rowsIn(to)).toEqual(await rowsIn(from));
  });

  test('is complete before a server starts on it', async () => {
    const [from, to] = await newUrls();
    let [starting, steps]: [Promise<number> | null, number] = [null, 0];
    await copy(from, to, () => {
      steps += 1;
      starting ??= opened(openStore(to)).then(() => steps);
    });
    expect(await starting).toBe(steps);
    expect(await rowsIn(to)).toEqual(await rowsIn(from));
  });

  test('to a database with another encoding is refused', async () => {
    const [from, to] = await newUrls();
    const name = `${schemaOf(to)}_latin`;
    await query(`create database ${name} encoding 'LATIN1' locale 'C' template template0`);
    onTestFinished(async () => void (await query(`drop database ${name}`)));
    const latin = Object.assign(new URL(to), { pathname: name }).href;
    await expect(copy(from, latin)).rejects.toThrow(/has the encoding LATIN1\. Create one with .* UTF8/);
  });
});

test('rows are read unchanged, without the leases of the processes that used the file', async () => {
  const url = await newFile();
  const [texts, rowids] = [
    ['', '\ufffd\ufeff\u{1F697}ä', '["\\u0000", 1]'],
    [-9, 0, 5000],
  ];
  const numbers = [Number.MIN_SAFE_INTEGER, 0, Number.MAX_SAFE_INTEGER];
  withFile(url, (database) => {
    database.exec('delete from timers');
    const insert = database.prepare(
      `insert into timers (rowid, world_id, kind, subject_id, due_at, lease_until) values (?, ?, 'kind', 'id', ?, 7)`,
    );
    for (const i of texts.keys()) insert.run(rowids[i], texts[i], numbers[i]);
  });
  expect(rowsOf(url, 'timers')).toEqual(texts.map((text, i) => [text, 'kind', 'id', numbers[i], null, null]));
});

test.each([
  ['a NUL character', "document = 'a' || char(0) || 'b'", 'document has a NUL character. Its rowid is 1.'],
  ['bytes that are not UTF-8', "document = cast(x'61ff62' as text)", 'document is not UTF-8.'],
  ['half a character at the end', "driver_id = cast(x'61c3' as text)", 'driver_id is not UTF-8.'],
  ['a blob in place of a text', "status = x'61'", 'status is not text.'],
  ['a blob in place of an integer', "version = x'61'", 'version is not an integer from'],
  ['a text in place of an integer', "version = 'many'", 'version is not an integer from'],
  ['a fraction', 'requested_at = 1.5', 'requested_at is not an integer from'],
  ['an integer above 32 bits', 'active = 2147483648', 'active is not an integer from -2147483648 to 2147483647.'],
  ['an integer below 32 bits', 'active = -2147483649', 'active is not an integer from'],
  ['an instant that JavaScript would round', 'requested_at = 9007199254740993', 'requested_at is not an integer from'],
  ['the largest of all', 'requested_at = 9223372036854775807', 'requested_at is not an integer from'],
  ['two problems in one row', "status = x'61', active = 'b'", 'status is not text, active is not an integer from'],
])('%s is an error that names the row', async (_, change, problem) => {
  const url = await newFile();
  withFile(url, (database) => database.exec(`pragma foreign_keys = off; update rides set ${change} where rowid = 1`));
  expect(() => rowsOf(url, 'rides')).toThrow(`PostgreSQL cannot store a row of rides: ${problem}`);
});

test.each([
  ['lacks a migration', "delete from kysely_migration where name like '0007%'", /older than this .*0007-cancelers/],
  ['was changed by a newer server', "insert into kysely_migration values ('9999-later', '')", /newer .*9999-later/],
  ['has no list of migrations', 'drop table kysely_migration', /do not match this version/],
])('a file that %s is an error that says what to do', async (_, change, problem) => {
  const url = await newFile();
  withFile(url, (database) => database.exec(change));
  expect(() => openSource(pathOf(url))).toThrow(problem);
  expect(() => openSource(pathOf(url))).toThrow(/Start a server of this version on it once/);
});

test('a missing database is an error and is not created', async () => {
  const url = await newUrl('sqlite');
  expect(() => openSource(pathOf(url))).toThrow(/no database at .*ridehail\.db\. Check --from or DATABASE_URL/);
  expect(existsSync(pathOf(url))).toBe(false);
});

test('a file that a server uses cannot be copied, and no server starts on it during a copy', async () => {
  const url = await newFile();
  const store = await openStore(url);
  expect(() => openSource(pathOf(url))).toThrow(/in use by a server\. Stop it first/);
  await store.close();
  const source = openSource(pathOf(url));
  await expect(openStore(url)).rejects.toThrow(/in use by another server/);
  source.close();
  await opened(openStore(url));
});

test('during a copy, others can read the file but not write to it', async () => {
  const url = await newFile();
  sourceOf(url);
  withFile(url, (database) => {
    expect(database.prepare('select count(*) as n from rides').all()).toEqual([{ n: SOME }]);
    expect(() => database.exec('delete from timers')).toThrow(/locked/);
  });
  expect(() => openSource(pathOf(url))).toThrow(/in use/);
});

test('a file that another process is writing to cannot be copied', async () => {
  const url = await newFile();
  withFile(url, (database) => {
    database.exec('begin immediate');
    expect(() => openSource(pathOf(url))).toThrow(/cannot be locked: database is locked/);
    database.exec('rollback');
  });
  openSource(pathOf(url)).close();
});

test('the error for an unreachable target contains no password, and the file is released', async () => {
  const url = await newFile();
  const failed = await copy(url, 'postgres://ridehail:s3cret@localhost:1/ridehail').catch(String);
  expect(failed).toMatch(/PostgreSQL at localhost:1 cannot be reached: .*ECONNREFUSED/);
  expect(failed).not.toContain('s3cret');
  await opened(openStore(url));
});
