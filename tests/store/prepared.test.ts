import { CompiledQuery, Kysely, sql } from 'kysely';
import Libsql from 'libsql';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { findApplication, insertApplicationIfAbsent } from '../../server/store/applications.ts';
import { findBearer } from '../../server/store/bearers.ts';
import { sqliteDialect } from '../../server/store/engine/dialect.ts';
import { openStore } from '../../server/store/engine/open.ts';
import { prepared } from '../../server/store/engine/prepared.ts';
import { findPassenger, insertPassengerIfAbsent } from '../../server/store/passengers.ts';
import { findRide, insertRide } from '../../server/store/rides.ts';
import type { Queries } from '../../server/store/schema.ts';
import { findRefreshToken, insertAccessToken, insertRefreshToken } from '../../server/store/tokens.ts';
import { findWorld, insertWorldIfAbsent } from '../../server/store/worlds.ts';
import { watchedDatabase } from '../support/counted-store.ts';
import { engines } from '../support/database.ts';
import { newUrl, opened, storeForEach } from '../support/started.ts';
import { accessToken, application, NO_LOG, NOON, passenger, refreshToken, ride, sandbox } from './samples.ts';

async function fill(db: Queries): Promise<void> {
  await insertApplicationIfAbsent(db, application());
  await insertWorldIfAbsent(db, sandbox(), NOON);
  await insertPassengerIfAbsent(db, passenger({ worldId: 'sandbox' }));
  await insertAccessToken(db, accessToken({ worldId: 'sandbox' }));
  await insertRefreshToken(db, refreshToken({ worldId: 'sandbox' }));
}

describe.each(engines)('on %s', (engine) => {
  const store = storeForEach(engine);
  beforeEach(() => fill(store.db));

  test('a database with another plugin builds each statement, so that the plugin sees it', async () => {
    let built = 0;
    const query = prepared((db, { id }: { id: string }) => {
      built += 1;
      return db.selectFrom('worlds').select('id').where('id', '=', id);
    });
    for (const _ of [1, 2]) expect((await query(store.db, { id: 'sandbox' })).rows).toEqual([{ id: 'sandbox' }]);
    expect(built).toBe(1);
    let ran = 0;
    const watched = watchedDatabase(store.db, () => {
      ran += 1;
    });
    for (const _ of [1, 2]) expect((await query(watched, { id: 'sandbox' })).rows).toEqual([{ id: 'sandbox' }]);
    expect([built, ran]).toEqual([3, 2]);
  });

  test('a column that a newer server adds does not affect a statement', async () => {
    const own = await opened(openStore(await newUrl(engine)));
    await fill(own.db);
    await insertRide(own.db, ride());
    const read = async () => [
      await findBearer(own.db, 'access'),
      await findApplication(own.db, 'app'),
      await findWorld(own.db, 'sandbox'),
      await findPassenger(own.db, 'sandbox', 'ada'),
      await findRide(own.db, 'live', 'ride'),
      await own.transaction((tx) => findRefreshToken(tx, 'refresh')),
    ];
    const before = await read();
    for (const table of ['access_tokens', 'applications', 'worlds', 'passengers', 'rides', 'refresh_tokens']) {
      await sql`alter table ${sql.table(table)} add column newer text default 'new'`.execute(own.db);
    }
    expect(await read()).toEqual(before);
    await insertRide(own.db, ride({ id: 'next', passengerId: 'bob' }));
  });

  test.runIf(engine === 'postgres')('PostgreSQL prepares a statement once for each connection', async () => {
    const names = await store.transaction(async (tx) => {
      for (const _ of [1, 2, 3]) await findWorld(tx, 'sandbox');
      const { rows } = await sql<{ name: string; statement: string }>`
        select name, statement from pg_prepared_statements where statement like '%from "worlds"%'
      `.execute(tx);
      return rows.filter(({ statement }) => statement.endsWith('where "id" = $1')).map(({ name }) => name);
    });
    expect(names).toEqual([expect.stringMatching(/^prepared_\d+$/)]);
  });
});

test('SQLite keeps the three hundred most recently used prepared statements', async () => {
  const database = new Libsql(':memory:');
  const prepare = vi.spyOn(database, 'prepare');
  const file = { assertThere: () => {}, assertRoom: () => {} };
  const db = new Kysely({ dialect: sqliteDialect(database, file, NO_LOG) });
  onTestFinished(() => db.destroy());
  const select = (number: number) => db.executeQuery(CompiledQuery.raw(`select ${number}`));
  for (let number = 0; number <= 300; number++) await select(number);
  prepare.mockClear();
  await select(300);
  await select(1);
  expect(prepare).not.toHaveBeenCalled();
  await select(0);
  expect(prepare).toHaveBeenCalledTimes(1);
});
