import type { OwnApplication } from './application.ts';
import type { LogEntry } from './application-log.ts';
import type { Passenger } from './passenger.ts';
import type { Ride } from './rides/ride.ts';

/**
 * What happens to a field when the person it is about leaves, and whether their data export contains it. A field that
 * is `erased` gets a value that tells nothing about the person.
 */
type Treatment = readonly ['kept' | 'erased', 'exported' | 'withheld'];

/** A new field does not compile without a decision about it. */
type Treatments<T> = Readonly<Record<keyof T, Treatment>>;

type FieldsThatAre<T extends Readonly<Record<keyof T, Treatment>>, Kind extends Treatment[number]> = {
  [K in keyof T]: Kind extends T[K][number] ? K : never;
}[keyof T];

/** The fields of a table that are erased. */
export type Erased<T extends Readonly<Record<keyof T, Treatment>>> = FieldsThatAre<T, 'erased'>;

/** The fields of a table that are exported. */
export type Exported<T extends Readonly<Record<keyof T, Treatment>>> = FieldsThatAre<T, 'exported'>;

export function fieldsThatAre<Kind extends Treatment[number], T extends Readonly<Record<string, Treatment>>>(
  kind: Kind,
  table: T,
): FieldsThatAre<T, Kind>[] {
  const names = Object.keys(table) as (keyof T & string)[];
  return names.filter((name) => table[name]!.includes(kind)) as FieldsThatAre<T, Kind>[];
}

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

/**
 * Of an application, when another developer becomes its owner. Only a developer without applications can delete their
 * account, and with an application all its fields are deleted. There is no export for developers: `exported` is what the
 * portal shows to the owner, and what commands show to operators.
 */
export const APPLICATION_DATA = {
  id: ['kept', 'exported'],
  name: ['kept', 'exported'],
  developerId: ['erased', 'exported'],
  redirectUris: ['kept', 'exported'],
  sandboxWorldId: ['kept', 'withheld'],
  createdAt: ['kept', 'exported'],
  liveSecretHash: ['kept', 'withheld'],
  liveSecretMadeAt: ['kept', 'exported'],
  previousLiveSecretHash: ['kept', 'withheld'],
  previousLiveSecretEndsAt: ['kept', 'exported'],
  sandboxSecretHash: ['kept', 'withheld'],
  sandboxSecretMadeAt: ['kept', 'exported'],
  previousSandboxSecretHash: ['kept', 'withheld'],
  previousSandboxSecretEndsAt: ['kept', 'exported'],
  webhookUrl: ['kept', 'exported'],
  verificationToken: ['kept', 'exported'],
  previousVerificationToken: ['kept', 'withheld'],
  verificationTokenChangedAt: ['kept', 'withheld'],
  sandboxWebhookUrl: ['kept', 'exported'],
  sandboxVerificationToken: ['kept', 'exported'],
  previousSandboxVerificationToken: ['kept', 'withheld'],
  sandboxVerificationTokenChangedAt: ['kept', 'withheld'],
  webhookFailingSince: ['kept', 'exported'],
  offeredTo: ['erased', 'exported'],
  offerEndsAt: ['erased', 'exported'],
  rotatesRefreshTokens: ['kept', 'exported'],
  worldsMade: ['kept', 'withheld'],
} as const satisfies Treatments<OwnApplication>;

/** Of an entry in the log of an application, likewise. LOG_ACTIONS says which details are erased. */
export const LOG_ENTRY_DATA = {
  applicationId: ['kept', 'exported'],
  number: ['kept', 'exported'],
  at: ['kept', 'exported'],
  developerId: ['erased', 'exported'],
  network: ['erased', 'exported'],
  action: ['kept', 'exported'],
  detail: ['erased', 'exported'],
} as const satisfies Treatments<LogEntry>;
