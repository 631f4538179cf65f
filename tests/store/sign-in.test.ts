import { describe, expect, test } from 'vitest';
import { type Decision, MOST_DECISIONS, saveDecision, takeDecision } from '../../server/store/decisions.ts';
import { type DeveloperLink, deleteDeveloperLinkOf, saveDeveloperLink } from '../../server/store/developer-links.ts';
import { deleteDevice, devicesOf, findDevices, insertDevice } from '../../server/store/devices.ts';
import type { Queries } from '../../server/store/schema.ts';
import {
  deleteSession,
  deleteSignIns,
  findSession,
  insertSession,
  type Session,
  sessionsOf,
} from '../../server/store/sessions.ts';
import { OF_DEVELOPERS, OF_PASSENGERS, type SignInTables } from '../../server/store/sign-in-tables.ts';
import { engines } from '../support/database.ts';
import { storeForEach } from '../support/started.ts';
import { NOON } from './samples.ts';

const DAY = 86_400_000;
const findDevice = async (db: Queries, tables: SignInTables, hash: string) =>
  (await findDevices(db, tables, [hash]))[0];
/** A kind of account, and the other kind, whose data must not change. */
const KINDS: [kind: string, tables: SignInTables, others: SignInTables][] = [
  ['passengers', OF_PASSENGERS, OF_DEVELOPERS],
  ['developers', OF_DEVELOPERS, OF_PASSENGERS],
];

function session(change: Partial<Session> = {}): Session {
  return { tokenHash: 'session', accountId: 'ada', signedInAt: NOON, expiresAt: NOON + DAY, ...change };
}

function decision(change: Partial<Decision> = {}): Decision {
  const hashes = { sessionHash: 'session', requestHash: 'request' };
  return { ...hashes, scopes: ['public', 'profile'], decidedAt: NOON, ...change };
}

function link(change: Partial<DeveloperLink> = {}): DeveloperLink {
  return { tokenHash: 'link', email: 'dev@example.com', developerId: null, expiresAt: NOON, ...change };
}

describe.each(engines)('on %s', (engine) => {
  const store = storeForEach(engine);

  describe.each(KINDS)('%s', (_, tables, others) => {
    test("signing out ends all sign-ins of an account except the one to keep, and no other account's", async () => {
      const signIns = [session(), session({ tokenHash: 'here' }), session({ tokenHash: 'leo', accountId: 'leo' })];
      for (const each of signIns) {
        for (const kind of [tables, others]) {
          await insertSession(store.db, kind, each);
          await insertDevice(store.db, kind, each);
        }
        await saveDecision(store.db, decision({ sessionHash: each.tokenHash }));
      }
      const hashes = signIns.map(({ tokenHash }) => tokenHash);
      const left = async (kind: SignInTables) => {
        const sessions = await Promise.all(hashes.map((hash) => findSession(store.db, kind, hash)));
        const devices = await Promise.all(hashes.map((hash) => findDevice(store.db, kind, hash)));
        return [sessions, devices].map((found) => found.map((each) => each !== undefined));
      };
      await deleteSignIns(store.db, tables, 'ada', 'here');
      expect(await left(tables)).toEqual([
        [false, true, true],
        [false, false, true],
      ]);
      expect((await takeDecision(store.db, 'session', 'request')) === undefined).toBe(tables.decisions !== null);
      expect(await takeDecision(store.db, 'here', 'request')).toBeDefined();
      await deleteSignIns(store.db, tables, 'ada');
      expect((await left(tables))[0]).toEqual([false, false, true]);
      expect(await deleteSession(store.db, tables, 'leo')).toBe('leo');
      expect(await deleteSession(store.db, tables, 'leo')).toBe(null);
      expect((await takeDecision(store.db, 'leo', 'request')) === undefined).toBe(tables.decisions !== null);
      expect(await left(others)).toEqual([
        [true, true, true],
        [true, true, true],
      ]);
    });

    test('the unexpired sessions of an account are listed, latest first', async () => {
      const [old, young] = [session({ tokenHash: 'old' }), session({ tokenHash: 'young', signedInAt: NOON + 1 })];
      const expired = session({ tokenHash: 'expired', expiresAt: NOON });
      for (const each of [old, young, expired, session({ tokenHash: 'leo', accountId: 'leo' })]) {
        await insertSession(store.db, tables, each);
        await insertDevice(store.db, tables, each);
      }
      await insertSession(store.db, others, session());
      const listed = (limit: number) => sessionsOf(store.db, tables, 'ada', { at: NOON, limit });
      expect(await listed(9)).toEqual([young, old]);
      expect(await listed(1)).toEqual([young]);
      // the list of devices includes expired ones
      expect((await devicesOf(store.db, tables, 'ada')).map(({ tokenHash }) => tokenHash)[0]).toBe('young');
      expect(await devicesOf(store.db, tables, 'ada')).toHaveLength(3);
      await deleteDevice(store.db, tables, 'young');
      expect(await findDevice(store.db, tables, 'young')).toBeUndefined();
    });

    test('only the latest hundred sessions of an account last', async () => {
      const at = (number: number, accountId = 'ada') =>
        session({ tokenHash: `${accountId} ${number}`, accountId, signedInAt: NOON + number });
      await insertSession(store.db, tables, at(0, 'leo'));
      for (let number = 0; number < 103; number++) await insertSession(store.db, tables, at(number));
      const listed = await sessionsOf(store.db, tables, 'ada', { at: NOON, limit: 200 });
      expect(listed.map(({ signedInAt }) => signedInAt - NOON)).toEqual([...Array(100).keys()].map((n) => 102 - n));
      expect(await findSession(store.db, tables, 'leo 0')).toEqual(at(0, 'leo'));
    });

    test('only the latest twenty browsers of an account are known', async () => {
      const device = (number: number, accountId = 'ada') =>
        session({ tokenHash: `${accountId} ${String(number).padStart(2, '0')}`, accountId, signedInAt: NOON + number });
      await insertDevice(store.db, tables, device(0, 'leo'));
      for (let number = 0; number < 23; number++) await insertDevice(store.db, tables, device(number));
      const known = [];
      for (let number = 0; number < 23; number++) {
        if (await findDevice(store.db, tables, device(number).tokenHash)) known.push(number);
      }
      expect(known).toEqual(Array.from({ length: 20 }, (_, index) => index + 3));
      expect(await findDevice(store.db, tables, 'leo 00')).toEqual(device(0, 'leo'));
    });
  });

  test('a decision replaces an earlier one, and is returned once, only for its session and request', async () => {
    const [earlier, latest] = [decision({ decidedAt: NOON - 1 }), decision({ scopes: [] })];
    const other = decision({ requestHash: 'other', scopes: null });
    for (const each of [earlier, other, latest]) await saveDecision(store.db, each);
    const take = (session: string, request: string) => takeDecision(store.db, session, request);
    expect(await take('other', 'request')).toBeUndefined();
    expect(await take('session', 'request')).toEqual(latest);
    expect(await take('session', 'request')).toBeUndefined();
    expect(await take('session', 'other')).toEqual(other);
  });

  test('a session keeps its newest decisions', async () => {
    const made = Array.from({ length: MOST_DECISIONS + 2 }, (_, n) =>
      decision({ requestHash: String(n), decidedAt: NOON + n }),
    );
    // another passenger's, for the request whose decision is deleted here
    await saveDecision(store.db, decision({ sessionHash: 'other', requestHash: '0' }));
    for (const each of made) await saveDecision(store.db, each);
    const taken = [];
    for (const { requestHash } of made) taken.push(await takeDecision(store.db, 'session', requestHash));
    expect(taken).toEqual([undefined, undefined, ...made.slice(2)]);
    expect(await takeDecision(store.db, 'other', '0')).toBeDefined();
  });

  const saved = async () => {
    const found = await store.db.selectFrom('developerLinks').selectAll().execute();
    return found.sort((a, b) => (a.email > b.email ? -1 : 1));
  };

  test('of twenty links saved concurrently for one email, one remains, and links of other emails stay', async () => {
    const other = link({ tokenHash: 'other', email: 'dev2@example.com' });
    await saveDeveloperLink(store.db, other);
    const links = Array.from({ length: 20 }, (_, n) => link({ tokenHash: `link-${n}`, expiresAt: NOON + n }));
    await Promise.all(links.map((each) => store.transaction((tx) => saveDeveloperLink(tx, each))));
    const [one, ...rest] = await saved();
    expect(links).toContainEqual(one);
    expect(rest).toEqual([other]);
    const last = link({ tokenHash: 'reset', developerId: 'developer' });
    await saveDeveloperLink(store.db, last);
    expect(await saved()).toEqual([last, other]);
    await deleteDeveloperLinkOf(store.db, 'dev@example.com');
    expect(await saved()).toEqual([other]);
  });
});
