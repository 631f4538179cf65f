import Libsql from 'libsql';
import { describe, expect, test } from 'vitest';
import { findApplication, insertApplicationIfAbsent } from '../../server/store/applications.ts';
import { isUniqueViolation } from '../../server/store/dialect.ts';
import { openStore } from '../../server/store/open.ts';
import { findRide, insertRide, latestRideOf, updateRide } from '../../server/store/rides.ts';
import { engines, openTestStore } from '../support/database.ts';
import { newUrl, opened, storeForEach } from '../support/started.ts';
import { meetingOf } from './meeting.ts';
import { application, ride } from './samples.ts';

describe.each(engines)('on %s', (engine) => {
  const store = storeForEach(engine);

  test('what fails is thrown at once, and leaves nothing behind', async () => {
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

  test('two changes of one ride at once are both made', async () => {
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

  test('the loser of a race sees, when it runs again, what it lost to', async () => {
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

  test('a unique violation that stays is thrown, and can be told', async () => {
    await insertRide(store.db, ride());
    const error = await store.transaction((tx) => insertRide(tx, ride({ id: 'second' }))).catch((thrown) => thrown);
    expect(isUniqueViolation(error, 'one_active_ride')).toBe(true);
  });
});

test.runIf(engines.includes('postgres'))('a transaction that a deadlock ends is run again', async () => {
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
  // more than three if the database ends both transactions
  expect(runs).toBeGreaterThanOrEqual(3);
});

test('a transaction on SQLite has the right to write from its first moment', async () => {
  const url = await newUrl('sqlite');
  const store = await opened(openStore(url));
  await store.transaction(async () => {
    const other = new Libsql(url.slice('file:'.length));
    expect(() => other.exec('begin immediate')).toThrow(/locked/);
    other.close();
  });
});
