import { randomBytes } from 'node:crypto';
import type { Transaction } from 'kysely';
import { SCOPES } from '../../../generated/server.ts';
import { geography } from '../../../server/cities/geography.ts';
import { seedLiveWorld } from '../../../server/demo.ts';
import { applicationThatBegins } from '../../../server/domain/application.ts';
import { areaAt, offeredAt, primeTimePercent, prohibitedDropOffAt } from '../../../server/domain/areas.ts';
import { simulatedFleet } from '../../../server/domain/fleet/simulated-fleet.ts';
import { metersBetween, type Point } from '../../../server/domain/geo.ts';
import { liveId } from '../../../server/domain/ids.ts';
import { arrive, dropOff, pickUp } from '../../../server/domain/rides/drive.ts';
import { match } from '../../../server/domain/rides/match.ts';
import { processPayment } from '../../../server/domain/rides/pay.ts';
import { NOTHING_YET, type Ride } from '../../../server/domain/rides/ride.ts';
import type { ServiceArea } from '../../../server/domain/service-area.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../server/domain/time.ts';
import { LIVE_WORLD } from '../../../server/domain/worlds/live.ts';
import { DEFAULT_SETTINGS } from '../../../server/domain/worlds/settings.ts';
import { hashOf, newToken } from '../../../server/oauth/secrets.ts';
import { insertApplicationIfAbsent } from '../../../server/store/applications.ts';
import type { Store } from '../../../server/store/open.ts';
import { insertPassengerIfAbsent } from '../../../server/store/passengers.ts';
import { insertRide } from '../../../server/store/rides.ts';
import type { Database } from '../../../server/store/schema.ts';
import { insertAccessToken, insertRefreshToken } from '../../../server/store/tokens.ts';
import { insertWorldIfAbsent } from '../../../server/store/worlds.ts';

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

export interface FilledClient {
  readonly id: string;
  readonly secret: string;
}

export interface FilledPassenger {
  readonly id: string;
  readonly client: FilledClient;
  readonly token: string;
  readonly refreshToken: string;
}

export interface RidingPassenger extends FilledPassenger {
  readonly rideId: string;
  /** When the oldest and the newest finished ride were requested, in world time. */
  readonly from: number;
  readonly to: number;
}

/** A trip without Prime Time. */
export interface Trip {
  readonly origin: Point;
  readonly destination: Point;
}

export interface Filled {
  readonly clients: readonly FilledClient[];
  readonly passengers: readonly FilledPassenger[];
  readonly riding: readonly RidingPassenger[];
  readonly fresh: readonly (FilledPassenger & { readonly trip: Trip })[];
}

export const RIDE_TYPE = 'svc';
const AREA_ID = 'san-francisco';
/** Inserts per transaction. */
const AT_ONCE = 500;
/** Prime Time must not begin within this time, because rides are requested until then. */
const MEASURED_WITHIN_MS = 15 * MINUTE_MS;

/** Fills a database with the store's own functions. All passengers, tokens and rides are different. */
export async function fill(store: Store, size: Size, now: number): Promise<Filled> {
  await seedLiveWorld(store, now);
  const clients = await insertInTurns(store, size.applications, (tx, number) => insertClient(tx, number, now));
  const clientOf = (number: number) => clients[number % clients.length]!;
  const passengers = await insertInTurns(store, size.passengers, (tx, number) =>
    insertPassenger(tx, clientOf(number), now),
  );
  const busy = new Set<string>();
  const riding = await insertInTurns(store, size.riding, (tx, number) =>
    insertHistory(tx, passengers[number]!, size, busy, now),
  );
  await insertInTurns(store, size.passengers - size.riding, (tx, number) =>
    insertRide(tx, finishedRide(passengers[size.riding + number]!, now - DAY_MS)),
  );
  const trips = tripsWithoutPrimeTime(now);
  const fresh = await insertInTurns(store, size.fresh, async (tx, number) => ({
    ...(await insertPassenger(tx, clientOf(number), now)),
    trip: trips(),
  }));
  return { clients, passengers, riding, fresh };
}

async function insertInTurns<T>(
  store: Store,
  count: number,
  insert: (tx: Transaction<Database>, number: number) => Promise<T>,
): Promise<T[]> {
  const inserted: T[] = [];
  while (inserted.length < count) {
    const from = inserted.length;
    const some = await store.transaction(async (tx) => {
      const results: T[] = [];
      for (let number = from; number < Math.min(count, from + AT_ONCE); number++)
        results.push(await insert(tx, number));
      return results;
    });
    inserted.push(...some);
  }
  return inserted;
}

async function insertClient(tx: Transaction<Database>, number: number, now: number): Promise<FilledClient> {
  const id = `bench-${number}`;
  const secret = newToken(randomBytes);
  const sandboxWorldId = `${id}-sandbox`;
  const application = applicationThatBegins({
    id,
    name: `Bench ${number}`,
    developerId: null,
    redirectUris: ['https://app.example/callback'],
    liveSecretHash: hashOf(secret),
    sandboxSecretHash: hashOf(newToken(randomBytes)),
    webhookUrl: null,
    verificationToken: newToken(randomBytes),
    sandboxWebhookUrl: null,
    sandboxVerificationToken: newToken(randomBytes),
    sandboxWorldId,
    createdAt: now,
  });
  await insertWorldIfAbsent(
    tx,
    {
      id: sandboxWorldId,
      kind: 'sandbox',
      applicationId: id,
      seed: sandboxWorldId,
      clock: { realAnchor: now, worldAnchor: now, running: true },
      autoAdvance: false,
      settings: DEFAULT_SETTINGS,
      resets: 0,
    },
    now,
  );
  await insertApplicationIfAbsent(tx, application);
  return { id, secret };
}

async function insertPassenger(tx: Transaction<Database>, client: FilledClient, now: number): Promise<FilledPassenger> {
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
  const common = {
    applicationId: client.id,
    passengerId: id,
    worldId: LIVE_WORLD.id,
    scopes: SCOPES.userToken,
    codeHash: null,
    issuedAt: now,
    revokedAt: null,
  };
  const refreshTokenHash = hashOf(refreshToken);
  await insertRefreshToken(tx, { ...common, tokenHash: refreshTokenHash, lastUsedAt: now, rotation: null });
  await insertAccessToken(tx, { ...common, tokenHash: hashOf(token), refreshTokenHash, expiresAt: now + HOUR_MS });
  return { id, client, token, refreshToken };
}

async function insertHistory(
  tx: Transaction<Database>,
  passenger: FilledPassenger,
  { history }: Size,
  busy: Set<string>,
  now: number,
): Promise<RidingPassenger> {
  const requests = Array.from({ length: history }, (_, number) => now - (history - number) * DAY_MS);
  for (const at of requests) await insertRide(tx, finishedRide(passenger, at));
  const ride = rideUnderWay(passenger, now - UNDER_WAY_MS, busy);
  await insertRide(tx, ride);
  busy.add(ride.driver!.driverId);
  return { ...passenger, rideId: ride.id, from: requests[0]!, to: requests.at(-1)! };
}

/** After this time, the passenger is on board and has not arrived yet. */
const UNDER_WAY_MS = 10 * MINUTE_MS;
const area = geography.areas.find(({ id }) => id === AREA_ID)!;
const fleet = simulatedFleet(LIVE_WORLD.seed);

/** A ride with its passenger on board. It has no timer, so it stays that way. */
function rideUnderWay({ id: passengerId, client }: FilledPassenger, at: number, busy: ReadonlySet<string>): Ride {
  const trip = tripIn(area);
  const requested: Ride = {
    ...NOTHING_YET,
    worldId: LIVE_WORLD.id,
    id: liveId(at, randomBytes(16)),
    version: 1,
    applicationId: client.id,
    passengerId,
    status: 'pending',
    areaId: area.id,
    rideType: RIDE_TYPE,
    profile: 'personal',
    origin: { ...trip.origin, address: null },
    destination: { ...trip.destination, address: null },
    primeTimePercent: 0,
    requestedAt: at,
    lastEventAt: at,
  };
  const accepted = match(requested, at, {
    area,
    seed: LIVE_WORLD.seed,
    speed: 1,
    live: true,
    nearestCar: ({ origin }, instant) =>
      fleet.carsNear({ area, point: origin, at: instant, rideTypes: [RIDE_TYPE], limit: 1, busy })[0] ?? null,
    driverOf: (driverId) => fleet.driverOf(area, driverId),
  });
  if (accepted?.plan == null) throw new Error('There is no car near the pickup.');
  return pickUp(arrive(accepted, accepted.plan.toPickup.endsAt), accepted.plan.trip.startsAt);
}

function finishedRide(passenger: FilledPassenger, at: number): Ride {
  const ride = rideUnderWay(passenger, at, NOBODY);
  const ended = dropOff(ride, ride.plan!.trip.endsAt);
  return processPayment(ended, ended.lastEventAt + HOUR_MS, { area, method: 'Visa ending in 4242' });
}

/**
 * Makes trips in areas without Prime Time, because Prime Time needs a confirmation. Spreads the trips over the areas,
 * so there are enough cars.
 */
function tripsWithoutPrimeTime(now: number): () => Trip {
  const instants = [now, now + MEASURED_WITHIN_MS];
  const areas = geography.areas.filter((one) => instants.every((at) => primeTimePercent(one, at) === 0));
  if (areas.length === 0) throw new Error('Every area has Prime Time at this hour, so ride requests would fail.');
  let count = 0;
  return () => {
    return tripIn(areas[count++ % areas.length]!);
  };
}

/** Makes a trip of at least a kilometer. The server rejects a trip that ends where it starts. */
function tripIn(one: ServiceArea): Trip {
  const origin = placeIn(one);
  for (;;) {
    const destination = placeIn(one);
    if (metersBetween(origin, destination) >= SHORTEST_TRIP_METERS) return { origin, destination };
  }
}

const SHORTEST_TRIP_METERS = 1000;

/** Finds a place where the ride type is available and a ride may end. */
function placeIn(one: ServiceArea): Point {
  const [lngs, lats] = [one.boundary.map(([lng]) => lng), one.boundary.map(([, lat]) => lat)];
  for (;;) {
    const point = { lat: between(lats), lng: between(lngs) };
    const isOffered =
      areaAt(geography, point) === one && offeredAt(one, point).some(({ rideType }) => rideType === RIDE_TYPE);
    if (isOffered && prohibitedDropOffAt(geography, point) === undefined && hasCarAround(one, point)) return point;
  }
}

/** Whether enough cars are nearby at noon that there is one at any hour. */
function hasCarAround(one: ServiceArea, point: Point): boolean {
  const search = { area: one, point, at: NOON, rideTypes: [RIDE_TYPE], limit: ENOUGH_CARS, busy: NOBODY };
  return fleet.carsNear(search).length === ENOUGH_CARS;
}

const NOON = Date.parse('2026-01-07T20:00:00Z');
const ENOUGH_CARS = 20;
const NOBODY: ReadonlySet<string> = new Set();

function between(values: readonly number[]): number {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return least + Math.random() * (most - least);
}
