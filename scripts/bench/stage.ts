import { randomBytes } from 'node:crypto';
import type { Transaction } from 'kysely';
import { pino } from 'pino';
import { CALLS_AT_ONCE } from '../../generated/server.ts';
import type { AppParts } from '../../server/app.ts';
import { geography } from '../../server/cities/geography.ts';
import { seedLiveWorld } from '../../server/demo.ts';
import { applicationThatBegins } from '../../server/domain/application.ts';
import { simulatedFleet } from '../../server/domain/fleet/simulated-fleet.ts';
import { liveId } from '../../server/domain/ids.ts';
import type { RideEventType } from '../../server/domain/rides/events.ts';
import { LIVE_WORLD } from '../../server/domain/worlds/live.ts';
import { chooseGuard } from '../../server/http/choose-guard.ts';
import { THROTTLES_IN_MEMORY } from '../../server/http/throttles.ts';
import { countInMemory } from '../../server/http/windows.ts';
import { priceTokens } from '../../server/price-tokens.ts';
import { openSigningKeys } from '../../server/signing-keys.ts';
import { simulatedPaymentProvider } from '../../server/simulated/payment-provider.ts';
import { insertApplicationIfAbsent } from '../../server/store/applications.ts';
import { insertEvents } from '../../server/store/events.ts';
import { type Engine, openStore, type Store } from '../../server/store/open.ts';
import type { Database } from '../../server/store/schema.ts';
import { holdWorld } from '../../server/store/worlds.ts';
import { createSender } from '../../server/webhooks/delivery/send.ts';
import { type DeliveryWorker, startDeliveryWorker } from '../../server/webhooks/delivery/worker.ts';
import { newAdvances } from '../../server/workers/advances.ts';
import { newStepGate } from '../../server/workers/step-gate.ts';
import { webhookContract } from '../contract/read.ts';
import { newDatabase } from '../support/temporary-database.ts';
import { type Journal, openJournal } from './journal.ts';
import { type Receivers, startReceivers } from './receivers.ts';

/** A database with one application per endpoint, and a server's delivery worker and sender. */
export interface Stage {
  readonly journal: Journal;
  readonly receivers: Receivers;
  /** Commits events in one transaction, like a change of a ride. */
  commit(endpoint: number, count?: number): Promise<void>;
  startWorker(): void;
  close(): Promise<void>;
}

export async function openStage(engine: Engine, endpoints: number): Promise<Stage> {
  const database = await newDatabase(engine);
  const store = await openStore(database.url);
  const journal = openJournal();
  const receivers = await startReceivers(endpoints, journal.answered);
  const parts = await partsWith(store);
  const { sender } = parts;
  let worker: DeliveryWorker | undefined;
  await seedLiveWorld(store, parts.now());
  for (const [endpoint, url] of receivers.urls.entries()) await insertReceiving(store, endpoint, url);
  return {
    journal,
    receivers,
    commit: async (endpoint, count = 1) => {
      await store.transaction(async (tx) => {
        const eventIds: string[] = [];
        for (let i = 0; i < count; i++) eventIds.push(await insertNew(tx, endpoint));
        for (const eventId of eventIds) journal.committed(eventId, endpoint);
      });
    },
    startWorker: () => {
      worker = startDeliveryWorker(parts, sender);
    },
    close: async () => {
      await worker?.stop(0);
      await sender.close();
      await receivers.close();
      await store.close();
      await database.drop();
    },
  };
}

/** The contract's examples, which have realistic sizes. */
const BODIES = Object.values(webhookContract.components!.examples!).map(({ value }) => value as Body);
let count = 0;

interface Body {
  readonly event_type: RideEventType;
}

async function insertNew(tx: Transaction<Database>, endpoint: number): Promise<string> {
  const now = Date.now();
  const eventId = liveId(now, randomBytes(16));
  const body = BODIES[count++ % BODIES.length]!;
  const event = {
    eventId,
    worldId: LIVE_WORLD.id,
    rideId: rideId(endpoint),
    applicationId: applicationId(endpoint),
    type: body.event_type,
    occurredAt: now,
    environment: 'production',
    body: JSON.stringify({ ...body, event_id: eventId }),
    createdAt: now,
  } as const;
  await insertEvents(tx, await holdWorld(tx, LIVE_WORLD), now, [{ event, dueAt: now }]);
  return eventId;
}

const applicationId = (endpoint: number) => `application-${endpoint}`;
const rideId = (endpoint: number) => `ride-${endpoint}`;

async function insertReceiving(store: Store, endpoint: number, webhookUrl: string): Promise<void> {
  const application = applicationThatBegins({
    id: applicationId(endpoint),
    name: `Application ${endpoint}`,
    developerId: null,
    redirectUris: ['https://app.example/callback'],
    liveSecretHash: '',
    sandboxSecretHash: '',
    webhookUrl,
    verificationToken: randomBytes(32).toString('base64url'),
    sandboxWebhookUrl: null,
    sandboxVerificationToken: randomBytes(32).toString('base64url'),
    sandboxWorldId: 'none',
    createdAt: Date.now(),
  });
  await insertApplicationIfAbsent(store.db, application);
  await insertRideOf(store, endpoint);
}

/** Inserts the ride that an endpoint's events are about. */
async function insertRideOf({ db }: Store, endpoint: number): Promise<void> {
  const ride = { worldId: LIVE_WORLD.id, id: rideId(endpoint), version: 1, applicationId: applicationId(endpoint) };
  const passenger = { passengerId: `passenger-${endpoint}`, driverId: null, costTokenId: null, silent: 0 as const };
  const over = { status: 'droppedOff', active: 0, rideType: 'svc', requestedAt: 0, finishedAt: 0 } as const;
  await db
    .insertInto('rides')
    .values({ ...ride, ...passenger, ...over, document: '{}' })
    .execute();
}

/** As in production, except that webhooks may go to private addresses over http. */
async function partsWith(store: Store): Promise<AppParts> {
  const signingKeys = await openSigningKeys({ store, now: Date.now, randomBytes, audit: () => {} });
  const webhookTargets = { allowPrivate: true, requireHttps: false };
  const logger = pino({ level: 'error' }, pino.destination(2));
  return {
    store,
    geography,
    fleetOf: simulatedFleet,
    now: Date.now,
    randomBytes,
    publicUrl: 'http://localhost:8080',
    paymentProvider: simulatedPaymentProvider,
    textMessages: null,
    trustedProxies: null,
    allowedHosts: [],
    corsOrigins: [],
    webhookTargets,
    sender: createSender({ ...webhookTargets, now: Date.now }),
    advances: newAdvances(),
    steps: newStepGate(),
    simulationSpeed: 1,
    rateLimitMultiplier: 1,
    countCall: countInMemory(),
    throttles: THROTTLES_IN_MEMORY,
    callsAtOnce: CALLS_AT_ONCE,
    priceTokens: priceTokens(signingKeys),
    signingKeys,
    refusedApplications: new Set(),
    refusedPassengers: new Set(),
    refusedDevelopers: new Set(),
    portalSignUp: 'off',
    hasDemo: false,
    isDevelopment: false,
    contractGuard: await chooseGuard(logger),
    contractBreach: 'log',
    logger,
    meter: null,
    tracer: null,
  };
}
