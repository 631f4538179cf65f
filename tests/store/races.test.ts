import type { Transaction } from 'kysely';
import { expect, test } from 'vitest';
import { leaveDeveloper } from '../../server/developers/delete.ts';
import { DAY_MS } from '../../server/domain/time.ts';
import { holdApplication, insertApplicationIfAbsent, setOffer } from '../../server/store/applications.ts';
import { endAccess, noteConsent } from '../../server/store/consents.ts';
import { DELETE_EXPIRED } from '../../server/store/delete-some.ts';
import { departUnused, endDeparture, FIRST_USE, keepUsed, leaveSome } from '../../server/store/departures.ts';
import { holdDeveloper, insertDeveloperIfAbsent } from '../../server/store/developers.ts';
import { insertPassengerIfAbsent } from '../../server/store/passengers.ts';
import { savePhoneCode } from '../../server/store/phone-codes.ts';
import { revokeAccessToken, revokeByCode } from '../../server/store/revoke-tokens.ts';
import { findRide, insertRide } from '../../server/store/rides.ts';
import type { Database } from '../../server/store/schema.ts';
import { deleteExpired, insertAccessToken, insertCode } from '../../server/store/tokens.ts';
import { transaction } from '../../server/store/transaction.ts';
import { insertWorldIfAbsent } from '../../server/store/worlds.ts';
import { engines } from '../support/database.ts';
import { storeForEach } from '../support/started.ts';
import { meanwhile, waitForBlockedQueries } from './meeting.ts';
import { accessToken, application, NOON, passenger, ride, sandbox } from './samples.ts';

type Work = (tx: Transaction<Database>) => Promise<unknown>;

const LATER = NOON + DAY_MS;
const TOKEN = accessToken({ codeHash: 'code' });
const DEVELOPER = { id: 'grace', email: 'grace@example.com', passwordHash: 'a hash', createdAt: NOON };
const DEPARTURE = { worldId: 'sandbox', passengerId: 'ada', leftAt: NOON };
const CODE = { codeHash: 'code', scopes: ['public'], redirectUri: 'https://app.example.com/', codeChallenge: null };
const UNUSED = { before: LATER, endedIfLastUsedBy: LATER, except: 'other' };

const issueToken: Work = (tx) => insertAccessToken(tx, { ...TOKEN, tokenHash: 'late', expiresAt: LATER + 1 });
const sweepTokens: Work = async (tx) => {
  // the first deletes the token
  for (let n = 0; n < 2; n++) await deleteExpired(tx, LATER, LATER);
};
const useStandIn: Work = (tx) => keepUsed(tx, 'sandbox', 'ada', LATER);
const sweepStandIns: Work = (tx) => departUnused(tx, UNUSED, LATER, FIRST_USE);
const sweepPhoneCodes: Work = (tx) => DELETE_EXPIRED.phoneCodes(tx, LATER);
const revokeToken: Work = (tx) =>
  revokeAccessToken(tx, { tokenHash: TOKEN.tokenHash, applicationId: 'app' }, 'live', LATER);

const savePhone =
  (expiresAt: number): Work =>
  (tx) =>
    savePhoneCode(tx, { passengerId: 'ada', phoneNumber: '+14155550123', codeHash: 'hash', expiresAt });

const revokeGrant: Work = async (tx) => {
  // the other call has then found the grant, and waits for its token
  await tx.updateTable('issuedTokens').set({ issuedAt: NOON }).execute();
  await revokeByCode(tx, 'code', LATER);
};

/** Two transactions that need one row, and how many rows a table has after both. */
const RACES: [title: string, row: string, first: Work, second: Work, after: [keyof Database, number]][] = [
  ['a grant that gets a token stays', 'access_grants', issueToken, sweepTokens, ['issuedTokens', 1]],
  ['a stand-in in use stays', 'passengers', useStandIn, sweepStandIns, ['departures', 0]],
  ['a stand-in that is used while it leaves stays', 'passengers', sweepStandIns, useStandIn, ['departures', 0]],
  ['a code that replaces one stays', 'phone_codes', savePhone(LATER + 1), sweepPhoneCodes, ['phoneCodes', 1]],
  ['a token can be revoked with its grant', 'issued_tokens', revokeGrant, revokeToken, ['issuedTokens', 1]],
];

const hold: Work = (tx) => holdApplication(tx, 'app');
const holdNewOwner: Work = (tx) => holdDeveloper(tx, 'grace');
const deleteDeveloper: Work = (tx) => leaveDeveloper(tx, DEVELOPER);
const holdStandIn: Work = (tx) => tx.updateTable('passengers').set({ lastUsedAt: LATER }).execute();
const finishDeparture: Work = (tx) => endDeparture(tx, DEPARTURE);

/** A transaction that locks two rows, and one that waits for the first of them. */
const ORDERS: [title: string, row: string, first: Work, waiting: Work, next: Work][] = [
  ['a transfer, and the deletion of the developer', 'applications', hold, deleteDeveloper, holdNewOwner],
  ['the use of a stand-in, and its deletion', 'passengers', holdStandIn, finishDeparture, useStandIn],
];

for (const engine of engines) {
  const store = storeForEach(engine);

  test.each(RACES)(`in a race, %s, on ${engine}`, async (_, row, first, second, [table, count]) => {
    await insertApplicationIfAbsent(store.db, application());
    for (const worldId of ['live', 'sandbox']) await insertPassengerIfAbsent(store.db, passenger({ worldId }));
    await insertAccessToken(store.db, TOKEN);
    await store.transaction(savePhone(NOON));
    await meanwhile(store, row, first, () => store.transaction(second));
    expect(await store.db.selectFrom(table).selectAll().execute()).toHaveLength(count);
  });

  // SQLite runs one transaction at a time
  test.runIf(engine === 'postgres').each(ORDERS)('%s lock rows in one order', async (_, row, first, waiting, next) => {
    await insertApplicationIfAbsent(store.db, application());
    await insertDeveloperIfAbsent(store.db, DEVELOPER);
    await insertPassengerIfAbsent(store.db, passenger({ worldId: 'sandbox' }));
    await setOffer(store.db, 'app', { offeredTo: DEVELOPER.id, offerEndsAt: LATER });
    await store.db.insertInto('departures').values(DEPARTURE).execute();
    let runs = 0;
    // not the store's, which asks again every 25 ms, and so runs more often on a busy machine
    const both = await transaction(store.db, async (tx) => {
      runs++;
      await first(tx);
      const other = transaction(store.db, (second) => {
        runs++;
        return waiting(second);
      });
      await waitForBlockedQueries(store, row);
      await next(tx);
      return { other };
    });
    await both.other;
    expect(runs).toBe(2);
  });

  test('a consent on its way while access ends is ended with its code, and not only taken from the list', async () => {
    await insertApplicationIfAbsent(store.db, application());
    await insertPassengerIfAbsent(store.db, passenger({ worldId: 'live' }));
    const who = { passengerId: 'ada', applicationId: 'app' };
    await store.transaction((tx) => noteConsent(tx, { ...who, at: NOON }));
    const allow: Work = async (tx) => {
      await insertCode(tx, { ...who, ...CODE, issuedAt: NOON, expiresAt: LATER, usedAt: null });
      await noteConsent(tx, { ...who, at: NOON });
    };
    await meanwhile(store, 'consents', allow, () => store.transaction((tx) => endAccess(tx, 'ada', NOON, 'app')));
    expect(await store.db.selectFrom('consents').selectAll().execute()).toEqual([]);
    expect(await store.db.selectFrom('authorizationCodes').select('usedAt').execute()).toEqual([{ usedAt: NOON }]);
  });

  test('the deletion of a developer begins again if an offer comes meanwhile, and ends the offer', async () => {
    await insertApplicationIfAbsent(store.db, application());
    await insertDeveloperIfAbsent(store.db, DEVELOPER);
    const offer: Work = async (tx) => {
      await holdNewOwner(tx);
      await setOffer(tx, 'app', { offeredTo: DEVELOPER.id, offerEndsAt: LATER });
    };
    let runs = 0;
    await meanwhile(store, 'developers', offer, () =>
      store.transaction((tx) => {
        runs++;
        return deleteDeveloper(tx);
      }),
    );
    expect(runs).toBe(engine === 'postgres' ? 2 : 1);
    expect(await store.db.selectFrom('applications').select('offeredTo').execute()).toEqual([{ offeredTo: null }]);
  });

  test('the rides of a stand-in stay if a call used it after the sweep found it', async () => {
    await insertWorldIfAbsent(store.db, sandbox(), NOON);
    await insertPassengerIfAbsent(store.db, passenger({ worldId: 'sandbox' }));
    await insertRide(store.db, ride({ worldId: 'sandbox' }));
    await store.db.insertInto('departures').values(DEPARTURE).execute();
    await store.transaction(useStandIn);
    await store.transaction((tx) => leaveSome(tx, DEPARTURE, 10, (each) => each));
    expect(await findRide(store.db, 'sandbox', 'ride')).toBeDefined();
  });
}
