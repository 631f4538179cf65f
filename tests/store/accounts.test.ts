import { describe, expect, test } from 'vitest';
import { isUniqueViolation } from '../../server/store/dialect.ts';
import {
  copyPassengerToWorld,
  findPassenger,
  insertPassengerIfAbsent,
  knownPassenger,
  markRideTaken,
  resetPassengers,
  toPassenger,
} from '../../server/store/passengers.ts';
import { secret } from '../../server/store/secrets.ts';
import { engines } from '../support/database.ts';
import { storeForEach } from '../support/started.ts';
import { NOON, passenger } from './samples.ts';

describe.each(engines)('on %s', (engine) => {
  const store = storeForEach(engine);

  test('a passenger who must be there, and is not, is an error that names them', async () => {
    await insertPassengerIfAbsent(store.db, passenger());
    expect(await knownPassenger(store.db, 'live', 'ada')).toEqual(passenger());
    await expect(knownPassenger(store.db, 'sandbox', 'ada')).rejects.toThrow('World sandbox has no passenger ada');
  });

  test('an email address is one passenger in a world', async () => {
    expect(await insertPassengerIfAbsent(store.db, passenger())).toBe(true);
    expect(await insertPassengerIfAbsent(store.db, passenger({ id: 'other' }))).toBe(false);
    expect(await insertPassengerIfAbsent(store.db, passenger({ worldId: 'sandbox', id: 'other' }))).toBe(true);
    await insertPassengerIfAbsent(store.db, passenger({ id: 'bob', email: 'bob@example.com' }));
    const renamed = store.db
      .updateTable('passengers')
      .set({ email: 'ada@example.com' })
      .where('id', '=', 'bob')
      .execute();
    const error = await renamed.catch((thrown) => thrown);
    expect(isUniqueViolation(error, 'one_passenger_per_email')).toBe(true);
    expect(isUniqueViolation(error, 'one_active_ride')).toBe(false);
  });

  test('a ride that was taken is one of its passenger and world alone', async () => {
    const others = [passenger({ id: 'grace', email: 'grace@example.com' }), passenger({ worldId: 'sandbox' })];
    for (const each of [passenger(), ...others]) await insertPassengerIfAbsent(store.db, each);
    await markRideTaken(store.db, 'live', 'ada');
    expect((await findPassenger(store.db, 'live', 'ada'))?.hasTakenARide).toBe(true);
    for (const other of others) expect(await findPassenger(store.db, other.worldId, other.id)).toEqual(other);
  });

  test('a passenger who is copied to a world has not ridden there, and is copied once', async () => {
    await insertPassengerIfAbsent(store.db, passenger({ hasTakenARide: true }));
    await copyPassengerToWorld(store.db, 'live', 'sandbox', 'ada', NOON + 5);
    await copyPassengerToWorld(store.db, 'live', 'sandbox', 'ada', NOON + 9);
    await copyPassengerToWorld(store.db, 'live', 'sandbox', 'nobody', NOON);
    const copied = passenger({ worldId: 'sandbox', createdAt: NOON + 5 });
    expect(await findPassenger(store.db, 'sandbox', 'ada')).toEqual(copied);
    expect(await findPassenger(store.db, 'sandbox', 'nobody')).toBeUndefined();
  });

  test('passengers who are reset get the data of the other world, whoever has their address meanwhile', async () => {
    const live = (id: string, email: string, createdAt: number) =>
      passenger({ id, email, createdAt, hasTakenARide: true });
    const strange = (id: string, email: string) =>
      passenger({ worldId: 'sandbox', id, email, firstName: 'Changed', hasTakenARide: true });
    const theirs = [live('a', 'first@example.com', 1), live('b', 'a@example.com', 2), live('c', 'c@example.com', 3)];
    const others = [strange('b', 'b@example.com'), strange('made', 'first@example.com'), strange('a', 'a@example.com')];
    for (const each of [...theirs, ...others]) await insertPassengerIfAbsent(store.db, each);
    await store.transaction((tx) => resetPassengers(tx, 'sandbox', 'live', NOON));
    const inSandbox = store.db.selectFrom('passengers').selectAll().where('worldId', '=', 'sandbox');
    const there = await inSandbox.orderBy('id').execute();
    const reset = { worldId: 'sandbox', hasTakenARide: false, createdAt: NOON };
    expect(there.map(toPassenger)).toEqual([
      { ...theirs[0], ...reset },
      { ...theirs[1], ...reset },
    ]);
    for (const each of theirs) expect(await findPassenger(store.db, 'live', each.id)).toEqual(each);
  });

  test('a secret is the same for all who ask for it at once', async () => {
    let made = 0;
    const asked = await Promise.all(Array.from({ length: 8 }, () => secret(store.db, 'key', () => `value ${++made}`)));
    expect(new Set(asked).size).toBe(1);
    expect(await secret(store.db, 'key', () => 'late')).toBe(asked[0]);
    expect(await secret(store.db, 'other', () => 'its own')).toBe('its own');
  });
});
