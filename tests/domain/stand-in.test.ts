import fc from 'fast-check';
import { expect, test } from 'vitest';
import { e164 } from '../../server/consent/phone-number.ts';
import { readSignUp } from '../../server/consent/sign-up-form.ts';
import type { Passenger } from '../../server/domain/passenger.ts';
import { assertMayRide } from '../../server/domain/rides/standing.ts';
import { standInOf, standInTraits } from '../../server/domain/stand-in.ts';
import { anyText } from '../support/any-text.ts';

const PORTRAIT = (id: string) => `/people/${id}.svg`;

const texts = anyText(80);
/** Seeds that a client can choose, and ids, including ones that the live world never creates. */
const seeds = fc.oneof(fc.uuid(), texts);
const ids = fc.oneof(fc.uuid({ version: 7 }), texts);
const standIn = (seed: string, id: string, worldId = 'world') => standInOf({ id: worldId, seed }, id, PORTRAIT, 5);

test('a stand-in is the same for the same seed and id, in every world and every call', () => {
  fc.assert(
    fc.property(seeds, ids, texts, (seed, id, worldId) => {
      expect(standIn(seed, id, worldId)).toEqual({ ...standIn(seed, id), worldId });
      expect(standIn(seed, id)).toMatchObject(standInTraits({ id: worldId, seed }, id));
    }),
  );
});

test('another seed or another id creates another person', () => {
  fc.assert(
    fc.property(seeds, seeds, ids, ids, (seed, otherSeed, id, otherId) => {
      fc.pre(seed !== otherSeed && id !== otherId);
      const all = [standIn(seed, id), standIn(otherSeed, id), standIn(seed, otherId), standIn(otherSeed, otherId)];
      for (const field of ['email', 'imageUrl'] as const) {
        expect(new Set(all.map((each) => each[field])).size).toBe(all.length);
      }
    }),
  );
});

test('a stand-in can ride, cannot sign in, and has a valid email address and phone number that reach nobody', () => {
  fc.assert(
    fc.property(seeds, ids, (seed, id) => {
      const passenger = standIn(seed, id);
      const { email, phoneNumber, firstName, lastName } = passenger;
      // RFC 2606 reserves example.com, and phone companies reserve these hundred numbers
      expect(email).toMatch(/^[a-z]+\.[a-z]+\.[0-9a-f]{12}@example\.com$/);
      expect(phoneNumber).toMatch(/^\+1\d{3}55501\d{2}$/);
      expect(e164(phoneNumber!)).toBe(phoneNumber);
      const fields = { first_name: firstName, last_name: lastName, email, phone_number: phoneNumber! };
      expect(readSignUp({ ...fields, password: 'correct horse battery staple 7' })).toMatchObject({ signUp: fields });
      expect(() => assertMayRide(passenger, () => '')).not.toThrow();
      expect(passenger).toMatchObject({ passwordHash: '', hasTakenARide: false, businessProfile: false });
      expect(passenger.rating).toMatch(/^4\.[5-9]$/);
      expect(passenger.paymentMethod).toMatch(/ ending in (0005|1111|1117|4444)$/);
    }),
  );
});

test('a stand-in shares only its id with its live passenger, and no other field contains the id', () => {
  fc.assert(
    fc.property(seeds, fc.uuid({ version: 7 }), (seed, id) => {
      const { id: _, ...rest } = standIn(seed, id);
      expect(JSON.stringify(rest)).not.toContain(id);
    }),
  );
});

test('stand-ins vary: a hundred in a sandbox share few names, and every rating and card is used', () => {
  const all = Array.from({ length: 1000 }, (_, i) => standIn('a seed', `passenger ${i}`));
  const different = (field: keyof Passenger, among = all) => new Set(among.map((each) => each[field])).size;
  const hundred = all.slice(0, 100);
  expect(new Set(hundred.map(({ firstName, lastName }) => `${firstName} ${lastName}`)).size).toBeGreaterThan(90);
  expect([different('email'), different('imageUrl')]).toEqual([1000, 1000]);
  expect([different('rating'), different('paymentMethod')]).toEqual([5, 4]);
  expect(different('phoneNumber', hundred)).toBeGreaterThan(75);
});
