import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { exportedPassenger, exportedRide } from '../../server/account/data.ts';
import { fieldsThatAre, PASSENGER_DATA, RIDE_DATA } from '../../server/domain/personal-data.ts';
import { anonymize } from '../../server/domain/rides/anonymize.ts';
import type { Ride } from '../../server/domain/rides/ride.ts';
import { passenger } from '../store/samples.ts';
import { otherThan } from '../support/other-than.ts';
import { IN } from '../support/ride-in-status.ts';

const { droppedOff, canceled } = IN;
const MONEY = { amount: 1250, currency: 'USD' };
const PAYMENT: NonNullable<Ride['payment']> = {
  price: { ...MONEY, description: 'Fare' },
  lineItems: [{ ...MONEY, type: 'Ride' }],
  charges: [{ ...MONEY, paymentMethod: 'Visa ***1111' }],
  processedAt: droppedOff.lastEventAt,
};
const PASSENGER = passenger();
const RATED = { stars: 4, feedback: null, tip: MONEY, at: droppedOff.lastEventAt };
/** Between them, these have every field. */
const RIDES: readonly Ride[] = [{ ...droppedOff, rating: RATED, payment: PAYMENT }, canceled];
/** Other values where only a part of a field is personal, and only that part differs. */
const OTHER: Partial<Ride> = {
  status: 'unknown',
  origin: { ...droppedOff.origin, address: '1 Other Street' },
  destination: { ...droppedOff.destination!, address: '2 Other Street' },
  driver: { ...droppedOff.driver!, firstName: 'Other' },
  plan: { ...droppedOff.plan!, trip: { ...droppedOff.plan!.trip, path: droppedOff.plan!.toPickup.path } },
  rating: { ...RATED, feedback: 'Other' },
  payment: { ...PAYMENT, charges: [{ ...MONEY, paymentMethod: 'Visa ***2222' }] },
};

/** The fields whose value makes a difference to what a function returns, sorted. */
function visibleIn<T extends object>(see: (record: T) => unknown, records: readonly T[], other: Partial<T> = {}) {
  const names = Object.keys(records[0]!) as (string & keyof T)[];
  const visible = names.filter((name) => {
    const record = records.find((each) => each[name] !== null) ?? records[0]!;
    return !isDeepStrictEqual(see(record), see({ ...record, [name]: other[name] ?? otherThan(record[name]) }));
  });
  return visible.sort();
}

const MARK = 'of a newer server';

/** The same with one more field in each object, at every depth. */
function marked<T>(value: T): T {
  if (Array.isArray(value)) return value.map(marked) as T;
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, inner]) => [name, marked(inner)]);
  return Object.fromEntries([...fields, [MARK, MARK]]);
}

test('an export contains the fields of rides and passengers that it should, and no others', () => {
  const see = (ride: Ride) =>
    exportedRide({ publicUrl: 'https://example.com' }, ride, { passenger: PASSENGER, realNow: ride.lastEventAt });
  expect(visibleIn(see, RIDES, OTHER)).toEqual(fieldsThatAre('exported', RIDE_DATA).sort());
  for (const ride of RIDES) expect(JSON.stringify(see(marked(ride)))).not.toContain(MARK);
  expect(visibleIn(exportedPassenger, [PASSENGER])).toEqual(fieldsThatAre('exported', PASSENGER_DATA).sort());
});

test('a ride without its passenger keeps the fields that it should, and no others', () => {
  expect(visibleIn(anonymize, RIDES, OTHER)).toEqual(fieldsThatAre('kept', RIDE_DATA).sort());
  for (const ride of RIDES) {
    const without: Partial<Ride> = anonymize(marked(ride));
    expect(without).not.toHaveProperty(MARK);
    for (const name of fieldsThatAre('erased', RIDE_DATA)) expect(JSON.stringify(without[name])).not.toContain(MARK);
  }
});
