import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { SCOPES } from '../../generated/server.ts';
import { seedLiveWorld } from '../../server/demo.ts';
import { applicationThatBegins } from '../../server/domain/application.ts';
import { driverIds } from '../../server/domain/fleet/driver-id.ts';
import { liveId } from '../../server/domain/ids.ts';
import { endedAt, isActive } from '../../server/domain/rides/ride.ts';
import { DAY_MS, HOUR_MS } from '../../server/domain/time.ts';
import { LIVE_WORLD } from '../../server/domain/worlds/live.ts';
import { hashOf } from '../../server/oauth/secrets.ts';
import { RIDE_TIMER } from '../../server/rides/save.ts';
import { insertApplicationIfAbsent } from '../../server/store/applications.ts';
import type { Store } from '../../server/store/open.ts';
import { flag } from '../../server/store/schema.ts';
import { webhookContract } from '../contract/read.ts';
import { insertMany } from './bulk-insert.ts';
import { finishedSamples, type SampleRide, samplesUnderWay } from './sample-rides.ts';

/** How much a database contains. */
export interface CrowdSize {
  readonly applications: number;
  /** The number of applications with receivers that hang: the first ones. They own all due deliveries. */
  readonly hanging: number;
  readonly rides: number;
  /** Rides under way, each with a different passenger. */
  readonly active: number;
  /** Rides of the one passenger who has many rides. */
  readonly history: number;
  readonly dueDeliveries: number;
  readonly callers: number;
}

/** An application that makes calls for a passenger. */
export interface CrowdCaller {
  readonly token: string;
  readonly rideIds: readonly string[];
}

export interface Crowd {
  readonly callers: readonly CrowdCaller[];
  readonly regular: Regular;
}

/** The passenger with many rides, who is the same in every database. */
export interface Regular {
  /** One per application. */
  readonly tokens: readonly string[];
  /** When the rides were requested, oldest first. Milliseconds UTC. */
  readonly requestedAt: readonly number[];
}

const worldId = LIVE_WORLD.id;
/** About as long as the longest possible ride. */
const TRIP_MS = 2 * HOUR_MS;
const OLDEST_RIDE_MS = 365 * DAY_MS;
const REGULAR = 'regular';
const TOLD_EVERY = 100_000;

/**
 * Fills a new database. Every passenger has a ride under way, which ends within the next two hours, and rides from the
 * past year. Webhooks of the first applications are due.
 * @param webhookUrls of the applications
 */
export async function fillWithCrowd(
  store: Store,
  size: CrowdSize,
  webhookUrls: readonly string[],
  tell: (progress: string) => void,
): Promise<Crowd> {
  const now = Date.now();
  await seedLiveWorld(store, now);
  for (const [index, url] of webhookUrls.entries()) await insertApplication(store, index, url, now);
  await insertPassengers(store, size, now);
  await insertTokens(store, size, now);
  const finished = finishedRides(size, now);
  await insertMany(store, 'rides', finished.count, finished.rowOf, (count) => {
    if (count % TOLD_EVERY === 0) tell(`${count} of ${size.rides} rides`);
  });
  // inserted last, because they end soon
  const underWay = ridesUnderWay(size, Date.now());
  await insertMany(store, 'rides', size.active, underWay.rowOf);
  await insertMany(store, 'timers', size.active, underWay.timerOf);
  await insertDueDeliveries(store, size, underWay.idOf);
  if (store.engine === 'postgres') await sql`analyze rides, timers, events, deliveries`.execute(store.db);
  tell(`${size.rides} rides, ${size.dueDeliveries} due webhooks`);
  const callers = Array.from({ length: size.callers }, (_, index) => {
    const { passenger, ...call } = callerOf(size, index);
    return { token: tokenOf(call), rideIds: [underWay.idOf(passenger), ...finished.idsOf(passenger)] };
  });
  const tokens = webhookUrls.map((_, application) => tokenOf({ passengerId: REGULAR, application }));
  return { callers, regular: { tokens, requestedAt: finished.regularsInstants } };
}

/** Deterministic, so every database gets the same ids and tokens. */
const digestOf = (...name: (string | number)[]) => createHash('sha256').update(name.join()).digest();
const idOf = (at: number, ...name: (string | number)[]) => liveId(at, digestOf(...name).subarray(0, 16));
const applicationId = (index: number) => `application-${index}`;
const passengerId = (index: number) => `passenger-${index}`;

interface Call {
  readonly passengerId: string;
  /** Index of the application. */
  readonly application: number;
}

function tokenOf({ passengerId, application }: Call): string {
  return digestOf('token', passengerId, application).toString('base64url');
}

/** Spreads the callers evenly over the applications and the passengers. */
function callerOf({ applications, callers, active }: CrowdSize, index: number) {
  const passenger = Math.floor((index * active) / callers) % active;
  return { passenger, passengerId: passengerId(passenger), application: index % applications };
}

async function insertApplication({ db }: Store, index: number, webhookUrl: string, createdAt: number): Promise<void> {
  const application = applicationThatBegins({
    id: applicationId(index),
    name: `Application ${index}`,
    developerId: null,
    redirectUris: ['https://app.example/callback'],
    liveSecretHash: '',
    sandboxSecretHash: '',
    webhookUrl,
    verificationToken: randomBytes(32).toString('base64url'),
    sandboxWebhookUrl: null,
    sandboxVerificationToken: randomBytes(32).toString('base64url'),
    sandboxWorldId: 'none',
    createdAt,
  });
  await insertApplicationIfAbsent(db, application);
}

async function insertPassengers(store: Store, { active }: CrowdSize, createdAt: number): Promise<void> {
  const passengerWith = (id: string) => ({
    worldId,
    id,
    email: `${id}@example.com`,
    passwordHash: '',
    firstName: 'Sam',
    lastName: 'Miller',
    imageUrl: null,
    rating: '4.9',
    phoneNumber: '+14155550100',
    phoneVerified: 1,
    paymentMethod: 'Visa ending in 4242',
    accountDisabled: 0,
    driverMode: 0,
    businessProfile: 0,
    hasTakenARide: 1,
    altered: 0,
    createdAt,
  });
  await insertMany(store, 'passengers', active, (index) => passengerWith(passengerId(index)));
  await insertMany(store, 'passengers', 1, () => passengerWith(REGULAR));
}

/** Inserts tokens for the callers, for the regular passenger, and for all other passengers. */
async function insertTokens(store: Store, size: CrowdSize, now: number): Promise<void> {
  const { applications, callers, active } = size;
  const tokenFor = (call: Call) => ({
    tokenHash: hashOf(tokenOf(call)),
    applicationId: applicationId(call.application),
    passengerId: call.passengerId,
    worldId,
    scopes: SCOPES.userToken.join(' '),
    issuedAt: now,
    expiresAt: now + DAY_MS,
    refreshTokenHash: null,
    codeHash: null,
    revokedAt: null,
  });
  const others = Math.max(0, active - callers);
  await insertMany(store, 'accessTokens', callers, (index) => tokenFor(callerOf(size, index)));
  await insertMany(store, 'accessTokens', applications, (application) =>
    tokenFor({ passengerId: REGULAR, application }),
  );
  // for an application that makes no calls
  await insertMany(store, 'accessTokens', others, (index) =>
    tokenFor({ passengerId: passengerId(index), application: applications }),
  );
}

interface RideCopy {
  readonly id: string;
  readonly passengerId: string;
  readonly application: number;
  readonly requestedAt: number;
}

/** @param number number of the copy; rides under way have different drivers */
function rowOf({ ride, documentOf }: SampleRide, number: number, { application, ...copy }: RideCopy) {
  const { id, passengerId, requestedAt } = copy;
  const { version, status, rideType, areaId } = ride;
  const end = endedAt(ride);
  const own = { ...copy, applicationId: applicationId(application) };
  // a car that is not on the map, so the cars near a pickup are free in every database
  const driverId = driverIds(LIVE_WORLD.seed, areaId).idOf({ row: 0, column: 0, index: number });
  return {
    worldId,
    id,
    version,
    applicationId: own.applicationId,
    passengerId,
    driverId,
    status,
    active: flag(isActive(status)),
    rideType,
    requestedAt,
    finishedAt: end && end + requestedAt - ride.requestedAt,
    costTokenId: null,
    silent: 0,
    document: documentOf({ ...own, driverId }),
  };
}

/** The rides of the regular passenger come first, then all others by the time of the request. */
function finishedRides({ rides, active, history, applications }: CrowdSize, now: number) {
  const samples = finishedSamples();
  const others = rides - active - history;
  const oldest = now - OLDEST_RIDE_MS;
  const instantOf = (index: number, count: number) =>
    Math.floor(oldest + ((index + 0.5) * (OLDEST_RIDE_MS - DAY_MS)) / count);
  const regularsInstants = Array.from({ length: history }, (_, index) => instantOf(index, history));
  const idOfOther = (index: number) => idOf(instantOf(index, others), 'ride', index);
  const copyOf = (number: number): RideCopy => {
    const application = number % applications;
    if (number < history) {
      const requestedAt = regularsInstants[number]!;
      return { id: idOf(requestedAt, REGULAR, number), passengerId: REGULAR, application, requestedAt };
    }
    const index = number - history;
    const requestedAt = instantOf(index, others);
    return { id: idOfOther(index), passengerId: passengerId(index % active), application, requestedAt };
  };
  return {
    count: history + others,
    regularsInstants,
    rowOf: (number: number) => rowOf(samples[number % samples.length]!, number, copyOf(number)),
    /** The ids of a passenger's rides. */
    idsOf: (passenger: number) =>
      Array.from({ length: Math.floor(others / active) }, (_, round) => idOfOther(round * active + passenger)),
  };
}

/** Rides whose trips began within the last two hours. */
function ridesUnderWay({ active, applications }: CrowdSize, now: number) {
  const samples = samplesUnderWay(TRIP_MS);
  const sampleOf = (index: number) => samples[index % samples.length]!;
  const endOf = (index: number) => now + Math.floor(((index + 0.5) * TRIP_MS) / active);
  const requestOf = (index: number) => {
    const { plan, requestedAt } = sampleOf(index).ride;
    return endOf(index) - (plan!.trip.endsAt - requestedAt);
  };
  const idAt = (index: number) => idOf(requestOf(index), 'ride under way', index);
  return {
    idOf: idAt,
    rowOf: (index: number) =>
      rowOf(sampleOf(index), index, {
        id: idAt(index),
        passengerId: passengerId(index),
        application: index % applications,
        requestedAt: requestOf(index),
      }),
    timerOf: (index: number) => {
      const dueAt = endOf(index);
      return { worldId, kind: RIDE_TIMER, subjectId: idAt(index), dueAt, realDueAt: dueAt, leaseUntil: null };
    },
  };
}

/** The contract's examples, which have realistic sizes. */
const BODIES = Object.values(webhookContract.components!.examples!).map(({ value }) => value as { event_type: string });

/** Inserts deliveries that have been due for up to an hour. */
async function insertDueDeliveries(
  store: Store,
  { dueDeliveries, hanging, applications, active }: CrowdSize,
  rideId: (index: number) => string,
): Promise<void> {
  const now = Date.now();
  const dueAtOf = (index: number) => now - HOUR_MS + Math.floor((index * HOUR_MS) / dueDeliveries);
  const common = (index: number) => ({
    eventId: idOf(dueAtOf(index), 'event', index),
    worldId,
    applicationId: applicationId(index % hanging),
  });
  await insertMany(store, 'events', dueDeliveries, (index) => {
    const body = BODIES[index % BODIES.length]!;
    const at = dueAtOf(index);
    const ofApplication = Math.floor(index / hanging) * applications + (index % hanging);
    const about = { rideId: rideId(ofApplication % active), type: body.event_type, occurredAt: at };
    const sent = { environment: 'production', body: JSON.stringify(body), createdAt: at };
    return { ...common(index), ...about, ...sent };
  });
  await insertMany(store, 'deliveries', dueDeliveries, (index) => ({
    ...common(index),
    status: 'pending',
    attempts: 0,
    earlierAttempts: 0,
    scheduleAnchor: null,
    dueAt: dueAtOf(index),
    realDueAt: dueAtOf(index),
    lastEndedAt: null,
    resend: 0,
    leaseOwner: null,
    leaseUntil: null,
  }));
}
