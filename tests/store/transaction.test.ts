import Libsql from 'libsql';
import { describe, expect, test, vi } from 'vitest';
import { insertApplicationIfAbsent } from '../../server/store/applications.ts';
import { openStore } from '../../server/store/engine/open.ts';
import { untilUnlocked } from '../../server/store/until-unlocked.ts';
import { engines, openTestStore } from '../support/database.ts';
import { newUrl, opened } from '../support/started.ts';
import { meetingOf } from './meeting.ts';
import { application } from './samples.ts';

describe('a start that finds a lock', () => {
  const lockTimeout = Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });

  test.each([
    ['succeeds once the lock is free', lockTimeout, 4, 5],
    ['fails because of a lock that is never free', lockTimeout, 100, 5],
    ['fails because of any other error', new Error('no'), 100, 1],
  ])('%s', async (_, error, failures, runs) => {
    const work = vi.fn(async () => {
      if (work.mock.calls.length <= failures) throw error;
    });
    await (failures < 5 ? untilUnlocked(work) : expect(untilUnlocked(work)).rejects.toBe(error));
    expect(work).toHaveBeenCalledTimes(runs);
  });
});

test.runIf(engines.includes('postgres'))('a transaction that loses a deadlock is retried', async () => {
  const store = await opened(openTestStore('postgres'));
  await insertApplicationIfAbsent(store.db, application({ id: 'a' }));
  await insertApplicationIfAbsent(store.db, application({ id: 'b' }));
  let runs = 0;
  const bothHoldOne = meetingOf(2);
  const rename = (first: string, second: string) =>
    store.transaction(async (tx) => {
      runs++;
      await tx.updateTable('applications').set({ name: first }).where('id', '=', first).execute();
      await bothHoldOne();
      await tx.updateTable('applications').set({ name: first }).where('id', '=', second).execute();
    });
  await Promise.all([rename('a', 'b'), rename('b', 'a')]);
  // more than three if the database aborts both transactions
  expect(runs).toBeGreaterThanOrEqual(3);
});

test('a transaction on SQLite takes the write lock when it begins', async () => {
  const url = await newUrl('sqlite');
  const store = await opened(openStore(url));
  await store.transaction(async () => {
    const other = new Libsql(url.slice('file:'.length));
    expect(() => other.exec('begin immediate')).toThrow(/locked/);
    other.close();
  });
});
