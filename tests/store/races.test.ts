import type { Transaction } from 'kysely';
import { expect, test } from 'vitest';
import { DAY_MS } from '../../server/domain/time.ts';
import { insertApplicationIfAbsent } from '../../server/store/applications.ts';
import { DELETE_EXPIRED } from '../../server/store/delete-some.ts';
import { departUnused, keepUsed } from '../../server/store/departures.ts';
import { insertPassengerIfAbsent } from '../../server/store/passengers.ts';
import { savePhoneCode } from '../../server/store/phone-codes.ts';
import { revokeAccessToken, revokeByCode } from '../../server/store/revoke-tokens.ts';
import type { Database } from '../../server/store/schema.ts';
import { deleteExpired, insertAccessToken } from '../../server/store/tokens.ts';
import { engines } from '../support/database.ts';
import { storeForEach } from '../support/started.ts';
import { meanwhile } from './meeting.ts';
import { accessToken, application, NOON, passenger } from './samples.ts';

type Work = (tx: Transaction<Database>) => Promise<unknown>;

const LATER = NOON + DAY_MS;
const TOKEN = accessToken({ codeHash: 'code' });
const UNUSED = { before: LATER, endedIfLastUsedBy: LATER, except: 'other' };

const issueToken: Work = (tx) => insertAccessToken(tx, { ...TOKEN, tokenHash: 'late', expiresAt: LATER + 1 });
const sweepTokens: Work = (tx) => deleteExpired(tx, LATER, LATER);
const useStandIn: Work = (tx) => keepUsed(tx, 'sandbox', 'ada', LATER);
const sweepStandIns: Work = (tx) => departUnused(tx, UNUSED, LATER);
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
}
