import { describe, expect, test } from 'vitest';
import { type Decision, saveDecision, takeDecision } from '../../server/store/decisions.ts';
import { findDevices, insertDevice } from '../../server/store/devices.ts';
import type { Queries } from '../../server/store/schema.ts';
import { deleteSession, deleteSignIns, findSession, insertSession, type Session } from '../../server/store/sessions.ts';
import { engines } from '../support/database.ts';
import { storeForEach } from '../support/started.ts';
import { NOON } from './samples.ts';

const DAY = 86_400_000;
const findDevice = async (db: Queries, hash: string) => (await findDevices(db, [hash]))[0];

function session(change: Partial<Session> = {}): Session {
  return { tokenHash: 'session', passengerId: 'ada', signedInAt: NOON, expiresAt: NOON + DAY, ...change };
}

function decision(change: Partial<Decision> = {}): Decision {
  const hashes = { sessionHash: 'session', requestHash: 'request' };
  return { ...hashes, scopes: ['public', 'profile'], decidedAt: NOON, ...change };
}

describe.each(engines)('on %s', (engine) => {
  const store = storeForEach(engine);

  test('what was decided in a session is gone with it, and nothing of another', async () => {
    for (const tokenHash of ['session', 'other']) {
      await insertSession(store.db, session({ tokenHash }));
      await saveDecision(store.db, decision({ sessionHash: tokenHash }));
    }
    await deleteSession(store.db, 'session');
    await deleteSession(store.db, 'session');
    expect(await findSession(store.db, 'session')).toBeUndefined();
    expect(await findSession(store.db, 'other')).toEqual(session({ tokenHash: 'other' }));
    expect(await takeDecision(store.db, 'session', 'request')).toBeUndefined();
    expect(await takeDecision(store.db, 'other', 'request')).toBeDefined();
  });

  test.each<[string, readonly string[] | null]>([
    ['that grants', ['public', 'profile']],
    ['that grants nothing', []],
    ['that denies', null],
  ])('a decision %s comes back as it went in, once, to its own session and request', async (_, scopes) => {
    await saveDecision(store.db, decision({ scopes }));
    expect(await takeDecision(store.db, 'other', 'request')).toBeUndefined();
    expect(await takeDecision(store.db, 'session', 'other')).toBeUndefined();
    expect(await takeDecision(store.db, 'session', 'request')).toEqual(decision({ scopes }));
    expect(await takeDecision(store.db, 'session', 'request')).toBeUndefined();
  });

  test('all sign-ins of a passenger end together, but for one that stays, and nobody else signs out', async () => {
    const others = [session({ tokenHash: 'here' }), session({ tokenHash: 'leo', passengerId: 'leo' })];
    for (const each of [session(), ...others]) {
      await insertSession(store.db, each);
      await insertDevice(store.db, each);
      await saveDecision(store.db, decision({ sessionHash: each.tokenHash }));
    }
    await deleteSignIns(store.db, 'ada', 'here');
    const left = async (find: typeof findSession | typeof findDevice) => {
      const found = [];
      for (const hash of ['session', 'here', 'leo']) found.push((await find(store.db, hash)) !== undefined);
      return found;
    };
    expect([await left(findSession), await left(findDevice)]).toEqual([
      [false, true, true],
      [false, false, true],
    ]);
    expect(await takeDecision(store.db, 'session', 'request')).toBeUndefined();
    expect(await takeDecision(store.db, 'here', 'request')).toBeDefined();
    await deleteSignIns(store.db, 'ada');
    expect(await left(findSession)).toEqual([false, false, true]);
  });

  test('of the browsers of a passenger the latest twenty are known', async () => {
    const device = (number: number, passengerId = 'ada') =>
      session({
        tokenHash: `${passengerId} ${String(number).padStart(2, '0')}`,
        passengerId,
        signedInAt: NOON + number,
      });
    await insertDevice(store.db, device(0, 'leo'));
    for (let number = 0; number < 23; number++) await insertDevice(store.db, device(number));
    const known = [];
    for (let number = 0; number < 23; number++) {
      if (await findDevice(store.db, device(number).tokenHash)) known.push(number);
    }
    expect(known).toEqual(Array.from({ length: 20 }, (_, index) => index + 3));
    expect(await findDevice(store.db, 'leo 00')).toEqual(device(0, 'leo'));
  });

  test('a second decision takes the place of the first', async () => {
    const changed = decision({ scopes: null, decidedAt: NOON + 1 });
    await saveDecision(store.db, decision());
    await saveDecision(store.db, decision({ requestHash: 'other' }));
    await saveDecision(store.db, changed);
    expect(await takeDecision(store.db, 'session', 'request')).toEqual(changed);
    expect(await takeDecision(store.db, 'session', 'other')).toEqual(decision({ requestHash: 'other' }));
  });

  test('a decision that twenty take at once is taken by one', async () => {
    await saveDecision(store.db, decision());
    const taken = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        n % 2 === 0
          ? takeDecision(store.db, 'session', 'request')
          : store.transaction((tx) => takeDecision(tx, 'session', 'request')),
      ),
    );
    expect(taken.filter((each) => each !== undefined)).toEqual([decision()]);
  });
});
