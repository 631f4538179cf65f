import { describe, expect, test } from 'vitest';
import { findPassenger, insertPassengerIfAbsent, markRideTaken } from '../../server/store/passengers.ts';
import { CodeUsed, savePhoneCode, verifyPhone } from '../../server/store/phone-codes.ts';
import { engines } from '../support/database.ts';
import { storeForEach } from '../support/started.ts';
import { meanwhile } from './meeting.ts';
import { NOON, passenger } from './samples.ts';

describe.each(engines)('on %s', (engine) => {
  const store = storeForEach(engine);

  test('a drop-off marks only its passenger as having taken a ride, and only in its world', async () => {
    const others = [passenger({ id: 'grace', email: 'grace@example.com' }), passenger({ worldId: 'sandbox' })];
    for (const each of [passenger(), ...others]) await insertPassengerIfAbsent(store.db, each);
    await markRideTaken(store.db, 'live', 'ada');
    expect((await findPassenger(store.db, 'live', 'ada'))?.hasTakenARide).toBe(true);
    for (const other of others) expect(await findPassenger(store.db, other.worldId, other.id)).toEqual(other);
  });

  test('of two concurrent verifications with one code, only one succeeds', async () => {
    await insertPassengerIfAbsent(store.db, passenger());
    const code = { passengerId: 'ada', phoneNumber: '+14155550123', codeHash: 'hash', expiresAt: NOON };
    await store.transaction((tx) => savePhoneCode(tx, code));
    const verifying = meanwhile(
      store,
      'passengers',
      (tx) => verifyPhone(tx, code),
      () => store.transaction((tx) => verifyPhone(tx, code)),
    );
    await expect(verifying).rejects.toThrow(CodeUsed);
    expect((await findPassenger(store.db, 'live', 'ada'))?.phoneVerified).toBe(true);
  });
});
