import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { openStore } from '../../server/store/engine/open.ts';
import { engines } from '../support/database.ts';
import { newUrl, opened } from '../support/started.ts';
import { runHere } from './support.ts';

const READS = [
  ['app', 'list'],
  ['app', 'show', '1'],
  ['developer', 'list'],
  ['passenger', 'list'],
  ['passenger', 'show', '1'],
];

describe.each(engines)('on %s', (engine) => {
  test('a command that only reads does not migrate the database, but says that it needs a migration', async () => {
    const url = await newUrl(engine);
    const store = await opened(openStore(url));
    await sql`delete from kysely_migration where name > '0020'`.execute(store.db);
    await store.close();
    for (const words of READS) {
      const { code, stdout, stderr } = await runHere(words, { DATABASE_URL: url });
      expect([words, code, stdout]).toEqual([words, 1, '']);
      expect(stderr).toMatch(/^The database needs \d+ migrations, and this command only reads it\. .*\n$/);
    }
    const again = await opened(openStore(url, { prepare: async () => {} }));
    const { rows } = await sql`select max(name) as newest from kysely_migration`.execute(again.db);
    expect(rows).toEqual([{ newest: '0019-developers' }]);
  });

  test('it says so if a newer server has migrated the database', async () => {
    const url = await newUrl(engine);
    const store = await opened(openStore(url));
    await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '')`.execute(store.db);
    await store.close();
    const stderr = 'A newer server has migrated the tables: 9999-later\n';
    expect(await runHere(['app', 'list'], { DATABASE_URL: url })).toEqual({ code: 1, stdout: '', stderr });
  });
});
