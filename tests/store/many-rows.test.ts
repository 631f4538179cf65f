import { CompiledQuery, Kysely } from 'kysely';
import Libsql from 'libsql';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { sqliteDialect } from '../../server/store/engine/dialect.ts';
import { clearTimers, setTimers } from '../../server/store/timers.ts';
import { holdWorld, insertWorldIfAbsent } from '../../server/store/worlds.ts';
import { engines } from '../support/database.ts';
import { storeForEach } from '../support/started.ts';
import { NO_LOG, sandbox } from './samples.ts';

describe.each(engines)('%s', (engine) => {
  const store = storeForEach(engine);
  const timersThere = async () => (await store.db.selectFrom('timers').select('subjectId').execute()).length;

  test('more timers than one statement can hold are set and cleared', async () => {
    const world = sandbox();
    await insertWorldIfAbsent(store.db, world, 0);
    const subjects = Array.from({ length: 6000 }, (_, index) => `ride-${index}`);
    await store.transaction(async (tx) => {
      const timers = subjects.map((subjectId) => ({ kind: 'ride', subjectId, dueAt: 1 }));
      await setTimers(tx, await holdWorld(tx, world), timers);
    });
    expect(await timersThere()).toBe(6000);
    await clearTimers(store.db, { worldId: world.id, kind: 'ride' }, subjects);
    expect(await timersThere()).toBe(0);
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
