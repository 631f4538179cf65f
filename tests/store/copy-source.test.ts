import { existsSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { copyToServer } from '../../server/store/copy/copy.ts';
import { openSource, type Row, type Source } from '../../server/store/copy/source.ts';
import { openStore } from '../../server/store/engine/open.ts';
import { databaseLocationOf, type FileLocation, type ServerLocation } from '../../server/store/location.ts';
import { fillEveryTable, withFile } from '../support/every-table.ts';
import { newUrl, opened } from '../support/started.ts';

const SOME = 5;
const pathOf = (url: string) => url.slice('file:'.length);

async function filled(): Promise<string> {
  const url = await newUrl('sqlite');
  await fillEveryTable(url, () => SOME);
  return url;
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

test('rows are read unchanged, without the leases of the processes that used the file', async () => {
  const url = await filled();
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
  const url = await filled();
  withFile(url, (database) => database.exec(`pragma foreign_keys = off; update rides set ${change} where rowid = 1`));
  expect(() => rowsOf(url, 'rides')).toThrow(`PostgreSQL cannot store a row of rides: ${problem}`);
});

test.each([
  ['lacks a migration', "delete from kysely_migration where name like '0007%'", /older than this .*0007-cancelers/],
  ['was changed by a newer server', "insert into kysely_migration values ('9999-later', '')", /newer .*9999-later/],
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
  sourceOf(url);
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
  const from = databaseLocationOf(url) as FileLocation;
  const to = databaseLocationOf('postgres://ridehail:s3cret@localhost:1/ridehail') as ServerLocation;
  const failed = await copyToServer({ from, to, onStep: () => {} }).catch(String);
  expect(failed).toMatch(/PostgreSQL at localhost:1 cannot be reached: .*ECONNREFUSED/);
  expect(failed).not.toContain('s3cret');
  await opened(openStore(url));
});
