import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { exportedPassenger, exportedRide } from '../../server/account/data.ts';
import type { Passenger } from '../../server/domain/passenger.ts';
import { fieldsThatAre, PASSENGER_DATA, RIDE_DATA } from '../../server/domain/personal-data.ts';
import { anonymize } from '../../server/domain/rides/anonymize.ts';
import type { Ride } from '../../server/domain/rides/ride.ts';
import { IN } from '../support/ride-in-status.ts';

const { droppedOff, canceled } = IN;
const MONEY = { amount: 1250, currency: 'USD' };
const PAYMENT: NonNullable<Ride['payment']> = {
  price: { ...MONEY, description: 'Fare' },
  lineItems: [{ ...MONEY, type: 'Ride' }],
  charges: [{ ...MONEY, paymentMethod: 'Visa ***1111' }],
  processedAt: droppedOff.lastEventAt,
};
const RATED = { stars: 4, feedback: null, tip: MONEY, at: droppedOff.lastEventAt };
/** Between them, these have every field. */
const RIDES: readonly Ride[] = [{ ...droppedOff, rating: RATED, payment: PAYMENT }, canceled];
/** For each field another value. Where only a part of the field is personal, only that part differs. */
const OTHER: Ride = {
  worldId: 'other',
  id: 'other',
  version: 99,
  applicationId: 'other',
  passengerId: 'other',
  status: 'unknown',
  areaId: 'other',
  rideType: 'other',
  profile: 'business',
  origin: { ...droppedOff.origin, address: '1 Other Street' },
  destination: { ...droppedOff.destination!, address: '2 Other Street' },
  primeTimePercent: 75,
  fixedFare: 4321,
  requestedAt: droppedOff.requestedAt - 1000,
  lastEventAt: droppedOff.lastEventAt + 1000,
  driver: { ...droppedOff.driver!, firstName: 'Other' },
  plan: { ...droppedOff.plan!, trip: { ...droppedOff.plan!.trip, path: droppedOff.plan!.toPickup.path } },
  acceptedAt: droppedOff.acceptedAt! - 1000,
  arrivedAt: droppedOff.arrivedAt! - 1000,
  pickedUpAt: droppedOff.pickedUpAt! - 1000,
  droppedOffAt: droppedOff.droppedOffAt! + 1000,
  canceledAt: canceled.canceledAt! - 1000,
  canceledBy: 'driver',
  cancelFee: 777,
  distanceMiles: 98,
  durationSeconds: 9876,
  rating: { ...RATED, feedback: 'Other' },
  paymentDueAt: 1,
  payment: { ...PAYMENT, charges: [{ ...MONEY, paymentMethod: 'Visa ***2222' }] },
};
const PASSENGER: Passenger = {
  worldId: 'live',
  id: 'one',
  email: 'one@example.com',
  passwordHash: 'one',
  firstName: 'One',
  lastName: 'One',
  imageUrl: null,
  rating: '4.9',
  phoneNumber: '+15005550001',
  phoneVerified: true,
  paymentMethod: 'Visa ***1111',
  accountDisabled: false,
  driverMode: false,
  businessProfile: false,
  hasTakenARide: true,
  createdAt: 0,
};
const OTHER_PASSENGER: Passenger = {
  worldId: 'other',
  id: 'other',
  email: 'other@example.com',
  passwordHash: 'other',
  firstName: 'Other',
  lastName: 'Other',
  imageUrl: 'https://example.com/other.png',
  rating: '1.1',
  phoneNumber: '+15005550006',
  phoneVerified: false,
  paymentMethod: 'Visa ***2222',
  accountDisabled: true,
  driverMode: true,
  businessProfile: true,
  hasTakenARide: false,
  createdAt: 1000,
};

/** The fields whose value makes a difference to what a function returns. */
function visibleIn<T extends object>(see: (record: T) => unknown, records: readonly T[], other: T): string[] {
  return (Object.keys(other) as (string & keyof T)[]).filter((name) => {
    const record = records.find((each) => each[name] !== null) ?? records[0]!;
    return !isDeepStrictEqual(see(record), see({ ...record, [name]: other[name] }));
  });
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
  expect(visibleIn(see, RIDES, OTHER).sort()).toEqual(fieldsThatAre('exported', RIDE_DATA).sort());
  for (const ride of RIDES) expect(JSON.stringify(see(marked(ride)))).not.toContain(MARK);
  expect(visibleIn(exportedPassenger, [PASSENGER], OTHER_PASSENGER).sort()).toEqual(
    fieldsThatAre('exported', PASSENGER_DATA).sort(),
  );
});

test('a ride without its passenger keeps the fields that it should, and no others', () => {
  expect(visibleIn(anonymize, RIDES, OTHER).sort()).toEqual(fieldsThatAre('kept', RIDE_DATA).sort());
  for (const ride of RIDES) {
    const without: Partial<Ride> = anonymize(marked(ride));
    expect(without).not.toHaveProperty(MARK);
    for (const name of fieldsThatAre('erased', RIDE_DATA)) expect(JSON.stringify(without[name])).not.toContain(MARK);
  }
});
