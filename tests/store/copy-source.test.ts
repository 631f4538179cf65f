import { existsSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { copyToServer } from '../../server/store/copy/copy.ts';
import { openSource } from '../../server/store/copy/source.ts';
import type { Row, Table } from '../../server/store/copy/tables.ts';
import { openStore } from '../../server/store/engine/open.ts';
import type { FilePlace, ServerPlace } from '../../server/store/place.ts';
import { placeOf } from '../../server/store/place.ts';
import { fillEveryTable, tablesOf, withFile } from '../support/every-table.ts';
import { newUrl, opened } from '../support/started.ts';

const SOME = 5;
const pathOf = (url: string) => url.slice('file:'.length);

function rowsOf(url: string, name: string, after: Row | null = null): Row[] {
  const source = openSource(pathOf(url));
  try {
    const table = source.tables.find((one) => one.name === name)!;
    return [...source.pages(table, after)].flat();
  } finally {
    source.close();
  }
}

async function filled(): Promise<string> {
  const url = await newUrl('sqlite');
  await fillEveryTable(url, () => SOME);
  return url;
}

test('every table of a file is read, parents before their children', async () => {
  const url = await filled();
  const source = openSource(pathOf(url));
  onTestFinished(source.close);
  const names = source.tables.map(({ name }) => name);
  expect([...names].sort()).toEqual(withFile(url, tablesOf).sort());
  for (const [child, parent] of [
    ['events', 'rides'],
    ['deliveries', 'events'],
    ['attempts', 'events'],
    ['access_tokens', 'passengers'],
    ['phone_codes', 'passengers'],
  ]) {
    expect(names.indexOf(child!), child).toBeGreaterThan(names.indexOf(parent!));
  }
  const without = ({ columns, key }: Table) => columns.length === 0 || key.length === 0;
  expect(source.tables.filter(without)).toEqual([]);
});

test('rows are read unchanged and in key order, from the start or after any row', async () => {
  const url = await filled();
  const texts = ['', 'a', 'B', 'ä', '\u{1F697}'];
  withFile(url, (database) => {
    texts.forEach((text, i) => {
      database.prepare('update deleted_applications set id = ?, deleted_at = ? where rowid = ?').run(text, i, i + 1);
    });
  });
  const rows = rowsOf(url, 'deleted_applications');
  expect(rows).toEqual([
    ['', 0],
    ['B', 2],
    ['a', 1],
    ['ä', 3],
    ['\u{1F697}', 4],
  ]);
  for (const [i, [id]] of rows.entries()) {
    expect(rowsOf(url, 'deleted_applications', [id!])).toEqual(rows.slice(i + 1));
  }
});

test('leases of the processes that used the file are omitted', async () => {
  const url = await filled();
  withFile(url, (database) => database.exec("update deliveries set lease_owner = 'me', lease_until = 7"));
  const source = openSource(pathOf(url));
  onTestFinished(source.close);
  const deliveries = source.tables.find(({ name }) => name === 'deliveries')!;
  const places = ['lease_owner', 'lease_until'].map((name) => deliveries.columns.findIndex((one) => one.name === name));
  const [rows] = [...source.pages(deliveries, null)];
  expect(rows!.map((row) => places.map((place) => row[place]))).toEqual(Array(SOME).fill([null, null]));
});

test.each([
  [
    'a NUL character',
    'rides',
    "document = 'a' || char(0) || 'b'",
    /rides: document has a NUL character.*key is \["key 0/,
  ],
  ['bytes that are not UTF-8', 'rides', "document = cast(x'61ff62' as text)", /rides: document is not UTF-8/],
  [
    'half a character at the end',
    'sessions',
    "account_id = cast(x'61c3' as text)",
    /sessions: account_id is not UTF-8/,
  ],
  ['a blob in place of a text', 'rides', "status = x'61'", /rides: status is not text/],
  ['a text in place of an integer', 'rides', "version = 'many'", /rides: version is not an integer/],
  ['a fraction', 'timers', 'due_at = 1.5', /timers: due_at is not an integer/],
  [
    'an integer of more than 32 bits',
    'rides',
    'active = 2147483648',
    /rides: active is not from -2147483648 to 2147483647/,
  ],
  ['an integer below 32 bits', 'rides', 'active = -2147483649', /rides: active is not from/],
  [
    'an instant beyond the numbers of JavaScript',
    'rides',
    'requested_at = 9007199254740993',
    /requested_at is not from/,
  ],
  ['the largest of all', 'rides', 'requested_at = 9223372036854775807', /requested_at is not from/],
  [
    'two problems in one row',
    'rides',
    "status = x'61', active = 'b'",
    /rides: status is not text, active is not an integer/,
  ],
])('%s is an error that names the row, before anything is copied', async (_, table, change, problem) => {
  const url = await filled();
  const key = table === 'timers' ? "kind like 'key 0%'" : 'rowid = 1';
  withFile(url, (database) => database.exec(`pragma foreign_keys = off; update ${table} set ${change} where ${key}`));
  expect(() => rowsOf(url, table)).toThrow(problem);
});

test.each([
  [
    'lacks a migration',
    "delete from kysely_migration where name like '0007%'",
    /older than this server.*0007-cancelers/,
  ],
  [
    'was changed by a newer server',
    "insert into kysely_migration values ('9999-later', '')",
    /newer server.*9999-later/,
  ],
  ['has no list of migrations', 'drop table kysely_migration', /do not match this version/],
])('a file that %s is an error that says what to do', async (_, change, problem) => {
  const url = await filled();
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
  const url = await filled();
  const store = await openStore(url);
  expect(() => openSource(pathOf(url))).toThrow(/in use by a server\. Stop it first/);
  await store.close();
  const source = openSource(pathOf(url));
  await expect(openStore(url)).rejects.toThrow(/in use by another server/);
  source.close();
  await opened(openStore(url));
});

test('during a copy, others can read the file but not write to it', async () => {
  const url = await filled();
  const source = openSource(pathOf(url));
  onTestFinished(source.close);
  withFile(url, (database) => {
    expect(database.prepare('select count(*) as n from rides').all()).toEqual([{ n: SOME }]);
    expect(() => database.exec('delete from timers')).toThrow(/locked/);
  });
  expect(() => openSource(pathOf(url))).toThrow(/in use/);
});

test('a file that another process is writing to cannot be copied', async () => {
  const url = await filled();
  withFile(url, (database) => {
    database.exec('begin immediate');
    expect(() => openSource(pathOf(url))).toThrow(/cannot be locked: database is locked/);
    database.exec('rollback');
  });
  openSource(pathOf(url)).close();
});

test('the error for an unreachable target contains no password, and the file is released', async () => {
  const url = await filled();
  const from = placeOf(url) as FilePlace;
  const to = placeOf('postgres://ridehail:s3cret@localhost:1/ridehail') as ServerPlace;
  const failed = await copyToServer({ from, to, onStep: () => {} }).catch(String);
  expect(failed).toMatch(/PostgreSQL at localhost:1 cannot be reached: .*ECONNREFUSED/);
  expect(failed).not.toContain('s3cret');
  await opened(openStore(url));
});
