import { describe, expect, test } from 'vitest';
import { standInOf, standInTraits } from '../../server/domain/stand-in.ts';
import { isUniqueViolation } from '../../server/store/engine/errors.ts';
import {
  findPassenger,
  insertPassengerIfAbsent,
  insertStandIn,
  knownPassenger,
  markRideTaken,
  PASSENGER_COLUMNS,
  resetPassengers,
  toPassenger,
  updatePassenger,
} from '../../server/store/passengers.ts';
import { CodeUsed, savePhoneCode, verifyPhone } from '../../server/store/phone-codes.ts';
import { engines } from '../support/database.ts';
import { storeForEach } from '../support/started.ts';
import { failureOf, meanwhile } from './meeting.ts';
import { NOON, passenger, sandbox } from './samples.ts';

const portrait = (id: string) => `/${id}.svg`;

describe.each(engines)('on %s', (engine) => {
  const store = storeForEach(engine);

  test('a missing passenger is an error that names the world and the passenger', async () => {
    await insertPassengerIfAbsent(store.db, passenger());
    expect(await knownPassenger(store.db, 'live', 'ada')).toEqual(passenger());
    await expect(knownPassenger(store.db, 'sandbox', 'ada')).rejects.toThrow('World sandbox has no passenger ada');
  });

  test('an email address belongs to one passenger in a world', async () => {
    expect(await insertPassengerIfAbsent(store.db, passenger())).toBe(true);
    expect(await insertPassengerIfAbsent(store.db, passenger({ id: 'other' }))).toBe(false);
    expect(await insertPassengerIfAbsent(store.db, passenger({ worldId: 'sandbox', id: 'other' }))).toBe(true);
    await insertPassengerIfAbsent(store.db, passenger({ id: 'bob', email: 'bob@example.com' }));
    const bob = store.db.updateTable('passengers').where('id', '=', 'bob');
    const error = await failureOf(bob.set({ email: 'ada@example.com' }).execute());
    expect(isUniqueViolation(error, 'one_passenger_per_email')).toBe(true);
    expect(isUniqueViolation(error, 'one_active_ride')).toBe(false);
  });

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

  test('a live passenger has one stand-in in a sandbox, who has taken no ride there', async () => {
    await insertPassengerIfAbsent(store.db, passenger({ hasTakenARide: true }));
    for (const createdAt of [NOON + 5, NOON + 9]) await insertStandIn(store.db, sandbox(), 'ada', portrait, createdAt);
    expect(await findPassenger(store.db, 'sandbox', 'ada')).toEqual(standInOf(sandbox(), 'ada', portrait, NOON + 5));
    expect(await findPassenger(store.db, 'live', 'ada')).toEqual(passenger({ hasTakenARide: true }));
  });

  test('a reset restores the stand-ins and deletes all other passengers', async () => {
    const first = (id: string) => standInOf(sandbox(), id, portrait, NOON);
    const taken = passenger({ worldId: 'sandbox', id: 'made', email: first('a').email });
    const live = ['a', 'b', 'c'].map((id) => passenger({ id, email: `${id}@example.com` }));
    for (const each of [...live, taken]) await insertPassengerIfAbsent(store.db, each);
    for (const { id } of live) await insertStandIn(store.db, sandbox(), id, portrait, NOON);
    const others = standInTraits(sandbox({ seed: 'another' }), 'b');
    await updatePassenger(store.db, 'sandbox', 'b', { ...others, phoneNumber: null, accountDisabled: true });
    for (const id of ['a', 'made']) await markRideTaken(store.db, 'sandbox', id);
    await store.transaction((tx) => resetPassengers(tx, sandbox()));
    const inSandbox = store.db.selectFrom('passengers').select(PASSENGER_COLUMNS).where('worldId', '=', 'sandbox');
    const there = await inSandbox.orderBy('id').execute();
    expect(there.map(toPassenger)).toEqual([{ ...first('a'), email: 'a@example.com' }, first('b'), first('c')]);
    for (const each of live) expect(await findPassenger(store.db, 'live', each.id)).toEqual(each);
  });
});
