import { randomBytes } from 'node:crypto';
import type { Transaction } from 'kysely';
import { SCOPES } from '../../generated/server.ts';
import { seedLiveWorld } from '../../server/demo.ts';
import { applicationThatBegins } from '../../server/domain/application.ts';
import { liveId } from '../../server/domain/ids.ts';
import { DAY_MS, HOUR_MS } from '../../server/domain/time.ts';
import { LIVE_WORLD } from '../../server/domain/worlds/live.ts';
import { hashOf, newToken } from '../../server/oauth/secrets.ts';
import { insertApplicationIfAbsent } from '../../server/store/applications.ts';
import type { Store } from '../../server/store/open.ts';
import { insertPassengerIfAbsent } from '../../server/store/passengers.ts';
import { insertRide } from '../../server/store/rides.ts';
import type { Database } from '../../server/store/schema.ts';
import { insertAccessToken, insertRefreshToken } from '../../server/store/tokens.ts';
import { finishedRide, rideUnderWay } from './rides.ts';
import { tripsWithoutPrimeTime } from './trips.ts';

/** How much the database contains before the server starts. */
export interface Size {
  readonly applications: number;
  /** Each has a user token, a refresh token and a finished ride. */
  readonly passengers: number;
  /** The number of passengers with a long history and a ride under way: the first ones. */
  readonly riding: number;
  readonly history: number;
  /** Passengers without a ride, each with a user token. */
  readonly fresh: number;
}

export const ridesIn = ({ passengers, riding, history }: Omit<Size, 'fresh'>) => passengers + riding * history;

export interface FilledPassenger {
  readonly id: string;
  readonly client: { readonly id: string; readonly secret: string };
  readonly token: string;
  readonly refreshToken: string;
}

export type Filled = Awaited<ReturnType<typeof fill>>;

type Tx = Transaction<Database>;

/** Inserts per transaction. */
const AT_ONCE = 500;

/**
 * Fills a database with the store's own functions. All passengers, tokens and rides are different.
 * @param webhookUrls of the first applications
 */
export async function fill(store: Store, size: Size, now: number, webhookUrls: readonly string[] = []) {
  await seedLiveWorld(store, now);
  const clients = await inTurns(store, size.applications, (tx, index) => insertClient(tx, index, webhookUrls, now));
  const newPassenger = (tx: Tx, index: number) => insertPassenger(tx, clients[index % clients.length]!, now);
  const passengers = await inTurns(store, size.passengers, newPassenger);
  const busy = new Set<string>();
  const riding = await inTurns(store, size.riding, (tx, index) =>
    insertHistory(tx, passengers[index]!, size, busy, now),
  );
  await inTurns(store, size.passengers - size.riding, (tx, index) =>
    insertRide(tx, finishedRide(passengers[size.riding + index]!, now - DAY_MS)),
  );
  const trips = tripsWithoutPrimeTime(now);
  const fresh = await inTurns(store, size.fresh, async (tx, index) => ({
    ...(await newPassenger(tx, index)),
    trip: trips(),
  }));
  return { clients, passengers, riding, fresh };
}

async function inTurns<T>(store: Store, count: number, insert: (tx: Tx, index: number) => Promise<T>): Promise<T[]> {
  const inserted: T[] = [];
  while (inserted.length < count) {
    const to = Math.min(count, inserted.length + AT_ONCE);
    await store.transaction(async (tx) => {
      while (inserted.length < to) inserted.push(await insert(tx, inserted.length));
    });
  }
  return inserted;
}

async function insertClient(tx: Tx, index: number, webhookUrls: readonly string[], createdAt: number) {
  const [id, secret] = [`bench-${index}`, newToken(randomBytes)];
  const application = applicationThatBegins({
    id,
    name: `Bench ${index}`,
    developerId: null,
    redirectUris: ['https://app.example/callback'],
    liveSecretHash: hashOf(secret),
    sandboxSecretHash: hashOf(newToken(randomBytes)),
    webhookUrl: webhookUrls[index] ?? null,
    verificationToken: newToken(randomBytes),
    sandboxWebhookUrl: null,
    sandboxVerificationToken: newToken(randomBytes),
    sandboxWorldId: 'none',
    createdAt,
  });
  await insertApplicationIfAbsent(tx, application);
  return { id, secret };
}

async function insertPassenger(tx: Tx, client: FilledPassenger['client'], now: number): Promise<FilledPassenger> {
  const id = liveId(now, randomBytes(16));
  await insertPassengerIfAbsent(tx, {
    worldId: LIVE_WORLD.id,
    id,
    email: `${id}@example.com`,
    passwordHash: 'none',
    firstName: 'Sam',
    lastName: 'Miller',
    imageUrl: null,
    rating: '4.8',
    phoneNumber: '+14155550100',
    phoneVerified: true,
    paymentMethod: 'Visa ending in 4242',
    accountDisabled: false,
    driverMode: false,
    businessProfile: false,
    hasTakenARide: true,
    createdAt: now,
  });
  const [token, refreshToken] = [newToken(randomBytes), newToken(randomBytes)];
  const whose = { applicationId: client.id, passengerId: id, worldId: LIVE_WORLD.id, scopes: SCOPES.userToken };
  const common = { ...whose, codeHash: null, issuedAt: now, revokedAt: null };
  const refreshTokenHash = hashOf(refreshToken);
  await insertRefreshToken(tx, { ...common, tokenHash: refreshTokenHash, lastUsedAt: now, rotation: null });
  await insertAccessToken(tx, { ...common, tokenHash: hashOf(token), refreshTokenHash, expiresAt: now + HOUR_MS });
  return { id, client, token, refreshToken };
}

async function insertHistory(tx: Tx, passenger: FilledPassenger, { history }: Size, busy: Set<string>, now: number) {
  const from = now - history * DAY_MS;
  for (let at = from; at < now; at += DAY_MS) await insertRide(tx, finishedRide(passenger, at));
  const ride = rideUnderWay(passenger, now, busy);
  await insertRide(tx, ride);
  busy.add(ride.driver!.driverId);
  return { ...passenger, rideId: ride.id, /** When the oldest ride was requested. */ from };
}
