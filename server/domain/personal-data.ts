import type { OwnApplication } from './application.ts';
import type { LogEntry } from './application-log.ts';
import type { LoggedRequest } from './logged-request.ts';
import type { Passenger } from './passenger.ts';
import type { Ride } from './rides/ride.ts';

/**
 * What happens to a field when the person it is about leaves, and whether their data export contains it. A field that
 * is `erased` gets a value that tells nothing about the person.
 */
type Treatment = `${'kept' | 'erased'} ${'exported' | 'withheld'}`;
type Kind = 'kept' | 'erased' | 'exported' | 'withheld';
type Fields<Name = PropertyKey> = Readonly<Record<Treatment, readonly Name[]>>;

type FieldsThatAre<F extends Fields, K extends Kind> = F[Extract<
  Treatment,
  `${K} ${string}` | `${string} ${K}`
>][number];
export type Erased<F extends Fields> = FieldsThatAre<F, 'erased'>;
export type Exported<F extends Fields> = FieldsThatAre<F, 'exported'>;

export function fieldsThatAre<K extends Kind, F extends Fields>(kind: K, fields: F): FieldsThatAre<F, K>[] {
  return Object.entries(fields).flatMap(([treatment, names]) => (treatment.split(' ').includes(kind) ? names : []));
}

/** Does not compile unless each field of T has exactly one treatment. */
function fieldsOf<T>() {
  return <const F extends Fields<keyof T>>(
    fields: F & Undecided<Exclude<keyof T, F[Treatment][number]>> & Once<F>,
  ): F => fields;
}
type Undecided<Name> = [Name] extends [never] ? unknown : { readonly undecided: Name };
type Once<F extends Fields> = {
  [T in Treatment]: ReadonlyArray<Exclude<F[T][number], F[Exclude<Treatment, T>][number]>>;
};

// biome-ignore format: one field per line would fill a screen
/** Of a finished ride, when its passenger deletes their account. Fares, times and the driver stay, for the accounts. */
export const RIDE_DATA = fieldsOf<Ride>()({
  'kept exported': [
    'worldId', 'id', 'applicationId', 'status', 'areaId', 'rideType', 'profile', 'primeTimePercent', 'requestedAt',
    'driver', 'pickedUpAt', 'droppedOffAt', 'canceledBy', 'distanceMiles', 'durationSeconds',
  ],
  'kept withheld': [
    'version', 'fixedFare', 'lastEventAt', 'acceptedAt', 'arrivedAt', 'canceledAt', 'cancelFee', 'paymentDueAt',
  ],
  'erased exported': ['origin', 'destination', 'plan', 'rating', 'payment'],
  'erased withheld': ['passengerId'],
});

// biome-ignore format: one field per line would fill a screen
/** Of a passenger who deletes their account. An hour later, the whole row is deleted. */
export const PASSENGER_DATA = fieldsOf<Passenger>()({
  'kept exported': ['id', 'driverMode', 'hasTakenARide', 'createdAt'],
  'kept withheld': ['worldId'],
  'erased exported': [
    'email', 'firstName', 'lastName', 'imageUrl', 'rating', 'phoneNumber', 'phoneVerified', 'paymentMethod',
    'accountDisabled', 'businessProfile',
  ],
  'erased withheld': ['passwordHash'],
});

// biome-ignore format: one field per line would fill a screen
/**
 * Of an application, when another developer becomes its owner. Only a developer without applications can delete their
 * account, and with an application all its fields are deleted. There is no export for developers: `exported` is what the
 * portal shows to the owner, and what commands show to operators.
 */
export const APPLICATION_DATA = fieldsOf<OwnApplication>()({
  'kept exported': [
    'id', 'name', 'redirectUris', 'createdAt', 'liveSecretMadeAt', 'previousLiveSecretEndsAt', 'sandboxSecretMadeAt',
    'previousSandboxSecretEndsAt', 'webhookUrl', 'verificationToken', 'sandboxWebhookUrl', 'sandboxVerificationToken',
    'webhookFailingSince', 'rotatesRefreshTokens',
  ],
  'kept withheld': [
    'sandboxWorldId', 'liveSecretHash', 'previousLiveSecretHash', 'sandboxSecretHash', 'previousSandboxSecretHash',
    'previousVerificationToken', 'verificationTokenChangedAt', 'previousSandboxVerificationToken',
    'sandboxVerificationTokenChangedAt', 'worldsMade',
  ],
  'erased exported': ['developerId', 'offeredTo', 'offerEndsAt', 'liveEventsSince'],
  'erased withheld': [],
});

/** Of an entry in the log of an application, likewise. LOG_ACTIONS says which details are erased. */
export const LOG_ENTRY_DATA = fieldsOf<LogEntry>()({
  'kept exported': ['applicationId', 'number', 'at', 'action'],
  'kept withheld': [],
  'erased exported': ['developerId', 'network', 'detail'],
  'erased withheld': [],
});

/** Of a request in the log that the portal shows, likewise: a new owner sees none from before. Its bodies are in sandboxes. */
export const LOGGED_REQUEST_DATA = fieldsOf<LoggedRequest>()({
  'kept exported': [],
  'kept withheld': [],
  'erased exported': ['id', 'at', 'ms', 'method', 'path', 'status', 'error', 'scopes', 'worldId', 'scenario'],
  'erased withheld': [],
});
