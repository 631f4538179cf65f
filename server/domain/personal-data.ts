import type { Passenger } from './passenger.ts';
import type { Ride } from './rides/ride.ts';

/**
 * What happens to a field when the person it is about leaves, and whether their data export contains it. A field that
 * is `erased` gets a value that tells nothing about the person.
 */
type Treatment = readonly ['kept' | 'erased', 'exported' | 'withheld'];

/** A new field does not compile without a decision about it. */
type Treatments<T> = Readonly<Record<keyof T, Treatment>>;

/** The fields of a table that are erased. */
export type Erased<T> = { [K in keyof T]: T[K] extends readonly ['erased', unknown] ? K : never }[keyof T];

/** Of a finished ride, when its passenger deletes their account. Fares, times and the driver stay, for the accounts. */
export const RIDE_DATA = {
  worldId: ['kept', 'exported'],
  id: ['kept', 'exported'],
  version: ['kept', 'withheld'],
  applicationId: ['kept', 'exported'],
  passengerId: ['erased', 'withheld'],
  status: ['kept', 'exported'],
  areaId: ['kept', 'exported'],
  rideType: ['kept', 'exported'],
  profile: ['kept', 'exported'],
  origin: ['erased', 'exported'],
  destination: ['erased', 'exported'],
  primeTimePercent: ['kept', 'exported'],
  fixedFare: ['kept', 'withheld'],
  requestedAt: ['kept', 'exported'],
  lastEventAt: ['kept', 'withheld'],
  driver: ['kept', 'exported'],
  plan: ['erased', 'exported'],
  acceptedAt: ['kept', 'withheld'],
  arrivedAt: ['kept', 'withheld'],
  pickedUpAt: ['kept', 'exported'],
  droppedOffAt: ['kept', 'exported'],
  canceledAt: ['kept', 'withheld'],
  canceledBy: ['kept', 'exported'],
  cancelFee: ['kept', 'withheld'],
  distanceMiles: ['kept', 'exported'],
  durationSeconds: ['kept', 'exported'],
  rating: ['erased', 'exported'],
  paymentDueAt: ['kept', 'withheld'],
  payment: ['erased', 'exported'],
} as const satisfies Treatments<Ride>;

/** Of a passenger who deletes their account. An hour later, the whole row is deleted. */
export const PASSENGER_DATA = {
  worldId: ['kept', 'withheld'],
  id: ['kept', 'exported'],
  email: ['erased', 'exported'],
  passwordHash: ['erased', 'withheld'],
  firstName: ['erased', 'exported'],
  lastName: ['erased', 'exported'],
  imageUrl: ['erased', 'exported'],
  rating: ['erased', 'exported'],
  phoneNumber: ['erased', 'exported'],
  phoneVerified: ['erased', 'exported'],
  paymentMethod: ['erased', 'exported'],
  accountDisabled: ['erased', 'exported'],
  driverMode: ['kept', 'exported'],
  businessProfile: ['erased', 'exported'],
  hasTakenARide: ['kept', 'exported'],
  createdAt: ['kept', 'exported'],
} as const satisfies Treatments<Passenger>;
