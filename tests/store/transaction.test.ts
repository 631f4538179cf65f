import Libsql from 'libsql';
import { describe, expect, test, vi } from 'vitest';
import { findApplication, insertApplicationIfAbsent } from '../../server/store/applications.ts';
import { openStore } from '../../server/store/engine/open.ts';
import { findRide, insertRide, latestRideOf, updateRide } from '../../server/store/rides.ts';
import { untilUnlocked } from '../../server/store/until-unlocked.ts';
import { engines, openTestStore } from '../support/database.ts';
import { newUrl, opened, storeForEach } from '../support/started.ts';
import { meetingOf } from './meeting.ts';
import { application, ride } from './samples.ts';

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

describe.each(engines)('on %s', (engine) => {
  const store = storeForEach(engine);

  test('an error is thrown without a retry, and nothing is saved', async () => {
    let runs = 0;
    const failing = store.transaction(async (tx) => {
      runs++;
      await insertApplicationIfAbsent(tx, application());
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(runs).toBe(1);
    expect(await findApplication(store.db, 'app')).toBeUndefined();
  });

  test('two concurrent changes of one ride are both saved', async () => {
    await insertRide(store.db, ride());
    const change = (at: number) =>
      store.transaction(async (tx) => {
        const found = (await findRide(tx, 'live', 'ride'))!;
        return updateRide(tx, { ...found, lastEventAt: found.lastEventAt + at });
      });
    await Promise.all([change(1), change(10)]);
    const saved = (await findRide(store.db, 'live', 'ride'))!;
    expect(saved.version).toBe(3);
    expect(saved.lastEventAt).toBe(ride().lastEventAt + 11);
  });

  test("the loser of a race runs again and sees the winner's change", async () => {
    const bothHaveRead = meetingOf(2);
    const request = (id: string) =>
      store.transaction(async (tx) => {
        const inTheWay = await latestRideOf(tx, 'live', 'ada');
        if (inTheWay) return `in ${inTheWay.id}`;
        // SQLite runs one transaction at a time, so the other one cannot have read yet
        if (engine === 'postgres') await bothHaveRead();
        await insertRide(tx, ride({ id }));
        return id;
      });
    const answers = await Promise.all([request('a'), request('b')]);
    expect([
      ['a', 'in a'],
      ['in b', 'b'],
    ]).toContainEqual(answers);
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
