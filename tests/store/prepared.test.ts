import { CompiledQuery, Kysely, sql } from 'kysely';
import Libsql from 'libsql';
import { expect, onTestFinished, test, vi } from 'vitest';
import { findApplication, insertApplicationIfAbsent } from '../../server/store/applications.ts';
import { findBearer } from '../../server/store/bearers.ts';
import { sqliteDialect } from '../../server/store/engine/dialect.ts';
import { openStore } from '../../server/store/engine/open.ts';
import { findPassenger, insertPassengerIfAbsent } from '../../server/store/passengers.ts';
import { findRide, insertRide } from '../../server/store/rides.ts';
import { findRefreshToken, insertAccessToken, insertRefreshToken } from '../../server/store/tokens.ts';
import { findWorld, insertWorldIfAbsent } from '../../server/store/worlds.ts';
import { engines, openTestStore } from '../support/database.ts';
import { newUrl, opened } from '../support/started.ts';
import { accessToken, application, NO_LOG, NOON, passenger, refreshToken, ride, sandbox } from './samples.ts';

test.each(engines)('a column that a newer server adds does not affect a statement, on %s', async (engine) => {
  const { db, transaction } = await opened(openStore(await newUrl(engine)));
  const worldId = 'sandbox';
  await insertApplicationIfAbsent(db, application());
  await insertWorldIfAbsent(db, sandbox(), NOON);
  await insertPassengerIfAbsent(db, passenger({ worldId }));
  await insertAccessToken(db, accessToken({ worldId }));
  await insertRefreshToken(db, refreshToken({ worldId }));
  await insertRide(db, ride());
  const read = async () => [
    await findBearer(db, 'access'),
    await findApplication(db, 'app'),
    await findWorld(db, worldId),
    await findPassenger(db, worldId, 'ada'),
    await findRide(db, 'live', 'ride'),
    await transaction((tx) => findRefreshToken(tx, 'refresh')),
  ];
  const before = await read();
  for (const table of [
    'access_grants',
    'issued_tokens',
    'applications',
    'worlds',
    'passengers',
    'rides',
    'refresh_tokens',
  ]) {
    await sql`alter table ${sql.table(table)} add column newer text default 'new'`.execute(db);
  }
  expect(await read()).toEqual(before);
  await insertRide(db, ride({ id: 'next', passengerId: 'bob' }));
});

test.runIf(engines.includes('postgres'))('PostgreSQL prepares a statement once for each connection', async () => {
  const store = await opened(openTestStore('postgres'));
  const names = await store.transaction(async (tx) => {
    for (const _ of [1, 2, 3]) await findWorld(tx, 'sandbox');
    const { rows } = await sql<{ name: string; statement: string }>`
      select name, statement from pg_prepared_statements where statement like '%from "worlds"%'
    `.execute(tx);
    return rows.filter(({ statement }) => statement.endsWith('where "id" = $1')).map(({ name }) => name);
  });
  expect(names).toEqual([expect.stringMatching(/^prepared_\d+$/)]);
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
