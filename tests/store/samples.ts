import type { Transaction } from 'kysely';
import { applicationThatBegins, type OwnApplication } from '../../server/domain/application.ts';
import type { Passenger } from '../../server/domain/passenger.ts';
import type { Driver, Ride } from '../../server/domain/rides/ride.ts';
import type { World } from '../../server/domain/worlds/clock.ts';
import { DEFAULT_SETTINGS } from '../../server/domain/worlds/settings.ts';
import { insertEvents } from '../../server/store/events.ts';
import { findRide, insertRide } from '../../server/store/rides.ts';
import type { Database } from '../../server/store/schema.ts';
import type { AuthorizationCode, NewAccessToken, RefreshToken } from '../../server/store/tokens.ts';
import type { WebhookEventRow } from '../../server/store/webhook-rows.ts';
import { holdWorld } from '../../server/store/worlds.ts';
import { fakeRide } from '../support/fake-area.ts';

/** A write-ahead log that notes nothing. */
export const NO_LOG = { noteCommit: () => {}, flushed: async () => {} };

/** An instant that does not fit into 32 bits. */
export const NOON = Date.UTC(2026, 5, 1, 12);

export function application(change: Partial<OwnApplication> = {}): OwnApplication {
  const beginning = {
    id: 'app',
    name: 'Demo',
    developerId: null,
    redirectUris: ['https://app.example/callback'],
    liveSecretHash: 'live-hash',
    sandboxSecretHash: 'sandbox-hash',
    webhookUrl: null,
    verificationToken: 'verify',
    sandboxWebhookUrl: null,
    sandboxVerificationToken: 'verify-sandbox',
    sandboxWorldId: 'sandbox',
    createdAt: NOON,
  };
  return { ...applicationThatBegins(beginning), ...change };
}

/** A sandbox whose clock shows noon at the real instant 1000. */
export function sandbox(change: Partial<World> = {}): World {
  return {
    id: 'sandbox',
    kind: 'sandbox',
    applicationId: 'app',
    seed: 'seed',
    clock: { realAnchor: 1000, worldAnchor: NOON, running: true },
    autoAdvance: false,
    settings: DEFAULT_SETTINGS,
    resets: 0,
    ...change,
  };
}

export function passenger(change: Partial<Passenger> = {}): Passenger {
  return {
    worldId: 'live',
    id: 'ada',
    email: 'ada@example.com',
    passwordHash: 'password-hash',
    firstName: 'Ada',
    lastName: 'Li',
    imageUrl: null,
    rating: '4.9',
    phoneNumber: '+14155550100',
    phoneVerified: true,
    paymentMethod: 'Visa ending 4242',
    accountDisabled: false,
    driverMode: false,
    businessProfile: true,
    hasTakenARide: false,
    createdAt: NOON,
    ...change,
  };
}

const PRIUS = { make: 'Toyota', model: 'Prius', year: 2022, color: 'blue' };

export function driver(driverId: string): Driver {
  return {
    driverId,
    firstName: 'Sam',
    rating: '4.8',
    phoneNumber: '+14155550199',
    vehicle: { ...PRIUS, licensePlate: '8ABC123', licensePlateState: 'CA' },
    beaconColor: '#FF00BF',
  };
}

export function ride(change: Partial<Ride> = {}): Ride {
  return fakeRide({
    id: 'ride',
    applicationId: 'app',
    passengerId: 'ada',
    areaId: 'san-francisco',
    origin: { lat: 37.77663, lng: -122.39227, address: null },
    destination: { lat: 37.7955, lng: -122.3937, address: 'Ferry Building' },
    requestedAt: NOON,
    lastEventAt: NOON,
    ...change,
  });
}

/** A ride that was canceled one second after its request. */
export function canceledRide(change: Partial<Ride> & { requestedAt: number }): Ride {
  const canceledAt = change.requestedAt + 1000;
  return ride({ status: 'canceled', canceledBy: 'passenger', cancelFee: 0, canceledAt, ...change });
}

/** A refresh token of a passenger for an application. */
const GRANT = { applicationId: 'app', passengerId: 'ada', scopes: ['public'], issuedAt: NOON };

export function accessToken(change: Partial<NewAccessToken> = {}): NewAccessToken {
  return {
    ...GRANT,
    tokenHash: 'access',
    worldId: 'live',
    scopes: ['public', 'rides.read'],
    expiresAt: NOON + 3_600_000,
    refreshTokenHash: null,
    codeHash: null,
    revokedAt: null,
    ...change,
  };
}

export function refreshToken(change: Partial<RefreshToken> = {}): RefreshToken {
  return {
    ...GRANT,
    tokenHash: 'refresh',
    worldId: 'live',
    scopes: ['public', 'offline'],
    codeHash: null,
    lastUsedAt: NOON,
    revokedAt: null,
    rotation: null,
    ...change,
  };
}

export function code(change: Partial<AuthorizationCode> = {}): AuthorizationCode {
  return {
    ...GRANT,
    codeHash: 'code',
    redirectUri: 'https://app.example/callback',
    codeChallenge: 'challenge',
    expiresAt: NOON + 600_000,
    usedAt: null,
    ...change,
  };
}

/** An event of the live world, stored at the instant when it occurred. */
export function webhookEvent(change: Partial<WebhookEventRow> = {}): WebhookEventRow {
  return {
    eventId: 'event',
    worldId: 'live',
    rideId: 'ride',
    applicationId: 'app',
    type: 'ride.status.updated',
    occurredAt: NOON,
    environment: 'production',
    body: '{"event_id":"event"}',
    createdAt: NOON,
    hadUrl: 1,
    ...change,
  };
}

/** Saves an event that is due at the instant when it occurred. Saves its ride too if it is absent. */
export async function insertEvent(
  tx: Transaction<Database>,
  event: Readonly<WebhookEventRow>,
  world: World,
  realNow: number,
): Promise<void> {
  const { worldId, rideId: id } = event;
  if (!(await findRide(tx, worldId, id))) await insertRide(tx, canceledRide({ worldId, id, requestedAt: NOON }));
  await insertEvents(tx, await holdWorld(tx, world), realNow, [{ event, dueAt: event.occurredAt }]);
}
