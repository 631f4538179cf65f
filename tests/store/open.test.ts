import {
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';

import { basename, dirname, join, relative } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { insertApplicationIfAbsent } from '../../server/store/applications.ts';
import { openStore, type Store } from '../../server/store/engine/open.ts';
import { engines, openTestStore } from '../support/database.ts';
import { newUrl, opened } from '../support/started.ts';
import { application } from './samples.ts';

const LATER = sql`insert into kysely_migration (name, timestamp) values ('9999-later', '2030-01-01T00:00:00.000Z')`;

describe.each(engines)('on %s', (engine) => {
  test('a ping succeeds until the store is closed', async () => {
    const store = await openTestStore(engine);
    await store.ping();
    await store.close();
    await expect(store.ping()).rejects.toThrow();
  });

  test('a database that a newer server has changed is refused', async () => {
    const url = await newUrl(engine);
    const store = await openStore(url);
    await LATER.execute(store.db);
    await store.close();
    await expect(openStore(url)).rejects.toThrow(/9999-later is missing/);
  });

  test.each<[string, (store: Store) => Promise<unknown>, RegExp]>([
    ['has run a migration of a newer server', ({ db }) => LATER.execute(db), /newer server.* 9999-later$/],
    [
      'lacks a migration',
      ({ db }) => sql`delete from kysely_migration where name like '0007%'`.execute(db),
      /older than this server.* 0007-cancelers$/,
    ],
    ['has no list of migrations', ({ db }) => sql`drop table kysely_migration`.execute(db), /kysely_migration/],
  ])('an open database that %s does not count as migrated', async (_, change, problem) => {
    const store = await opened(openStore(await newUrl(engine)));
    await store.assertMigrated();
    await change(store);
    await expect(store.assertMigrated()).rejects.toThrow(problem);
    // other calls still work
    await store.ping();
  });

  test('integers of any size are read as numbers', async () => {
    const store = await opened(openTestStore(engine));
    const integers = sql`select cast(9007199254740991 as bigint) as n, count(*) as c from rides`;
    expect((await integers.execute(store.db)).rows).toEqual([{ n: Number.MAX_SAFE_INTEGER, c: 0 }]);
  });
});

test.runIf(engines.includes('postgres'))('servers that start together on an empty schema all start', async () => {
  const url = await newUrl('postgres');
  const stores = await Promise.all(Array.from({ length: 3 }, () => opened(openStore(url))));
  const added = await Promise.all(stores.map((store) => insertApplicationIfAbsent(store.db, application())));
  expect(added.filter(Boolean)).toHaveLength(1);
});

test.runIf(engines.includes('postgres'))('a server starts while other schemas are created and dropped', async () => {
  const others = Array.from({ length: 8 }, async () => {
    for (let i = 0; i < 5; i++) await (await openTestStore('postgres')).close();
  });
  await expect(Promise.all(others)).resolves.toHaveLength(8);
});

test.runIf(engines.includes('postgres'))('a schema name that is not a plain name is refused', async () => {
  const url = await newUrl('postgres');
  const odd = new URL(url);
  odd.searchParams.set('schema', 'x; drop');
  await expect(openStore(odd.href)).rejects.toThrow(/schema in DATABASE_URL/);
});

test('deleted data is no longer in the file after it is closed', async () => {
  const url = await newUrl('sqlite');
  const folder = dirname(url.slice('file:'.length));
  const kept = () => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
  const first = await openStore(url);
  const ids = Array.from({ length: 500 }, (_, n) => `c4nary-${n}`);
  await first.transaction(async (tx) => {
    for (const id of ids) await insertApplicationIfAbsent(tx, application({ id }));
  });
  await first.close();
  expect(kept().join()).toContain('c4nary-');
  const second = await openStore(url);
  await second.db.deleteFrom('applications').execute();
  await second.close();
  expect(kept().join()).not.toContain('c4nary-');
});

test('one file under two names has one owner', async () => {
  const url = await newUrl('sqlite');
  const path = url.slice('file:'.length);
  await opened(openStore(url));
  const elsewhere = mkdtempSync(join(dirname(path), 'elsewhere-'));
  symlinkSync(path, `${path}.link`);
  symlinkSync(dirname(path), join(elsewhere, 'folder'));
  linkSync(path, `${path}.hard`);
  linkSync(path, join(elsewhere, 'hard.db'));
  const others = [
    ...[`${url}.link`, `file://${path}`, `file:${relative('.', path)}`, `file:${elsewhere}/folder/${basename(path)}`],
    ...[`${url}.hard`, `file:${elsewhere}/hard.db`],
  ];
  for (const other of others) {
    await expect(openStore(other), other).rejects.toThrow(/is in use by another server/);
    // a refused open does not release the lock
    await expect(openStore(url)).rejects.toThrow(/is in use by another server/);
  }
});

test('a file that replaced a deleted one is a different file', async () => {
  const url = await newUrl('sqlite');
  const path = url.slice('file:'.length);
  const first = await opened(openStore(url));
  linkSync(path, `${path}.kept`);
  rmSync(path);
  writeFileSync(path, '');
  const moved = `${path}.moved`;
  renameSync(path, moved);
  await (await openStore(`file:${moved}`)).close();
  await expect(openStore(`${url}.kept`)).rejects.toThrow(/is in use/);
  await first.close();
  await (await openStore(`${url}.kept`)).close();
});

test('a file that is not a database is refused, and not locked', async () => {
  const url = await newUrl('sqlite');
  const path = url.slice('file:'.length);
  mkdirSync(dirname(path));
  writeFileSync(path, 'not a database, only text\n'.repeat(100));
  await expect(openStore(url)).rejects.toThrow(/not a database/);
  rmSync(path);
  await (await openStore(url)).close();
});

test('a closed file is complete without its log', async () => {
  const url = await newUrl('sqlite');
  const path = url.slice('file:'.length);
  const store = await openStore(url);
  await insertApplicationIfAbsent(store.db, application());
  await store.close();
  copyFileSync(path, `${path}.copy`);
  const copy = await opened(openStore(`${url}.copy`));
  expect(await insertApplicationIfAbsent(copy.db, application())).toBe(false);
});

test('binding a boolean is an error', async () => {
  const store = await opened(openTestStore('sqlite'));
  await expect(sql`select ${true}`.execute(store.db)).rejects.toThrow(TypeError);
});
