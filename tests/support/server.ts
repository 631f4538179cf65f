import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { type ClientOptions, createClient, type Operations } from '../../client/client.ts';
import { CALLS_AT_ONCE, SCOPES } from '../../generated/server.ts';
import { type AppParts, createApp } from '../../server/app.ts';
import { geography } from '../../server/cities/geography.ts';
import { seedDemo, seedLiveWorld } from '../../server/demo.ts';
import { simulatedFleet } from '../../server/domain/fleet/simulated-fleet.ts';
import type { Passenger } from '../../server/domain/passenger.ts';
import { HOUR_MS } from '../../server/domain/time.ts';
import type { World } from '../../server/domain/worlds/clock.ts';
import { LIVE_WORLD } from '../../server/domain/worlds/live.ts';
import { developmentRouter } from '../../server/http/development.ts';
import { createFastServer, type HttpLimits } from '../../server/http/fast-server.ts';
import { THROTTLES_IN_MEMORY } from '../../server/limits/throttles.ts';
import { countInMemory } from '../../server/limits/windows.ts';
import { memoize } from '../../server/memoize.ts';
import { hashOf, newToken } from '../../server/oauth/secrets.ts';
import { demoRouter } from '../../server/pages/demo-callback.ts';
import { pagesRouter } from '../../server/pages/router.ts';
import { priceTokens } from '../../server/price-tokens.ts';
import { openSigningKeys } from '../../server/signing-keys.ts';
import { simulatedPaymentProvider } from '../../server/simulated/payment-provider.ts';
import { simulatedTextMessages } from '../../server/simulated/text-messages.ts';
import { insertApplicationIfAbsent } from '../../server/store/applications.ts';
import type { Store } from '../../server/store/engine/open.ts';
import { insertPassengerIfAbsent } from '../../server/store/passengers.ts';
import { insertAccessToken } from '../../server/store/tokens.ts';
import { insertWorldIfAbsent } from '../../server/store/worlds.ts';
import { createSender, type Sender } from '../../server/webhooks/delivery/send.ts';
import { newAdvances } from '../../server/workers/advances.ts';
import { newRequestRecorder } from '../../server/workers/request-recorder.ts';
import { newStepGate } from '../../server/workers/step-gate.ts';
import { runDueTimers } from '../../server/workers/timers.ts';
import { advanceWorld } from '../../server/workers/world-clock.ts';
import { accessToken, application, passenger, sandbox } from '../store/samples.ts';
import { openTestStore } from './database.ts';
import { runDueDeliveries } from './due-deliveries.ts';
import { close, listen } from './listen.ts';
import { testGuard } from './test-guard.ts';
import { watched } from './watch.ts';

/** A Tuesday, 11:00 in San Francisco, without Prime Time. */
export const TUESDAY_MORNING = Date.UTC(2026, 4, 12, 18);
/** Fleets are pure and faster with a warm cache, so all tests share them. */
const fleetOf = memoize(simulatedFleet, 20_000);

/** A real server on a free port with its own database. Its time stands still unless a test moves it. */
export interface TestServer {
  readonly baseUrl: string;
  readonly parts: AppParts;
  readonly store: Store;
  readonly sender: Sender;
  /** Moves real time, but runs nothing: see `runTimers` and `runDeliveries`. */
  passTime(ms: number): void;
  runTimers(): Promise<number>;
  /** Moves real time, and runs the timers that are due by then. */
  pass(ms: number): Promise<number>;
  runDeliveries(): Promise<number>;
  /** Stores the requests that the log of their application shows. */
  writeRequests(): Promise<void>;
  /** A frozen sandbox of the demo application. Its rides move on when a test advances it. */
  newWorld(options?: Partial<World> & { readonly at?: number }): Promise<World>;
  advance(world: World, ms: number): Promise<void>;
  newPassenger(world: World, traits?: Partial<Passenger>): Promise<Passenger>;
  /** An access token without the OAuth flow. */
  newToken(options: TokenOptions): Promise<string>;
  client(options?: Pick<ClientOptions, 'token'>): Operations;
  /** A passenger of a world, and a client with every scope. */
  newRider(world: World, traits?: Partial<Passenger>): Promise<Rider>;
  close(): Promise<void>;
}

export interface TokenOptions {
  readonly world: World;
  /** Absent for a client token. */
  readonly passenger?: Passenger;
  readonly scopes?: readonly string[];
  readonly applicationId?: string;
  /** Real milliseconds from now. */
  readonly expiresInMs?: number;
}

export interface Rider {
  readonly passenger: Passenger;
  readonly token: string;
  readonly api: Operations;
}

export async function startTestServer(
  engine: 'sqlite' | 'postgres',
  settings: Partial<AppParts> & {
    readonly startsAt?: number;
    readonly http?: Partial<HttpLimits>;
    readonly withPages?: boolean;
    /** The folder with the documentation for the pages. */
    readonly docsFolder?: string;
    /** Absent: a free port. */
    readonly port?: number;
    /** Whether to record its exchanges, which takes longer than the exchanges themselves (default: true). */
    readonly isWatched?: boolean;
  } = {},
): Promise<TestServer> {
  let realNow = settings.startsAt ?? TUESDAY_MORNING;
  let count = 0;
  const store = settings.store ?? (await openTestStore(engine));
  const { webhookTargets = { allowPrivate: true, requireHttps: false } } = settings;
  const now = () => realNow;
  const logger = settings.logger ?? pino({ level: 'silent' });
  const keyParts = { store, now, randomBytes, audit: () => {} };
  const signingKeys = await openSigningKeys(keyParts);
  const recorder = newRequestRecorder({ store, logger, meter: settings.meter ?? null });
  const parts: AppParts = {
    store,
    geography,
    fleetOf,
    now,
    randomBytes,
    publicUrl: 'http://localhost:8080',
    trustedProxies: null,
    paymentProvider: simulatedPaymentProvider,
    textMessages: simulatedTextMessages(),
    allowedHosts: ['localhost'],
    corsOrigins: ['localhost'],
    webhookTargets,
    sender: createSender({ ...webhookTargets, now: () => realNow }),
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
    portalSignUp: 'open',
    hasDemo: true,
    isDevelopment: true,
    storeOfSandboxes: store,
    contractGuard: await testGuard(),
    contractBreach: 'fail',
    logger,
    meter: null,
    tracer: null,
    requestLog: recorder,
    ...settings,
  };
  const { sender } = parts;
  await seedLiveWorld(store, realNow);
  await seedDemo(store, realNow, parts.publicUrl);
  const app = createApp(parts, {
    routers: settings.withPages
      ? [pagesRouter(parts, settings.docsFolder), developmentRouter(parts), demoRouter(parts)]
      : [],
    isDraining: () => false,
  });
  const server = createFastServer(settings.isWatched === false ? app : watched(app), parts, settings.http);
  const baseUrl = await listen(server, settings.port);
  const client: TestServer['client'] = (options = {}) => createClient({ baseUrl, retries: 0, ...options });

  const self: TestServer = {
    baseUrl,
    parts,
    store,
    sender,
    passTime: (ms) => {
      realNow += ms;
    },
    runTimers: () => runDueTimers(parts),
    pass: (ms) => {
      realNow += ms;
      return runDueTimers(parts);
    },
    runDeliveries: () => runDueDeliveries(parts, sender),
    writeRequests: recorder.write,
    newWorld: async ({ at = realNow, ...traits } = {}) => {
      count += 1;
      const clock = { realAnchor: realNow, worldAnchor: at, running: false };
      // one seed, because a server computes the cars of each seed anew
      const named = { id: `world-${count}`, applicationId: 'demo', seed: 'sandbox' };
      const world = sandbox({ ...named, clock, autoAdvance: true, ...traits });
      await insertWorldIfAbsent(store.db, world, realNow);
      return world;
    },
    advance: async (world, ms) => {
      await advanceWorld(parts, world, ms);
    },
    newPassenger: async (world, traits = {}) => {
      count += 1;
      const named = { worldId: world.id, id: `passenger-${count}`, email: `passenger-${count}@example.com` };
      const maya = { firstName: 'Maya', lastName: 'Okafor', paymentMethod: 'Visa ending in 4242' };
      const made = passenger({ ...named, ...maya, businessProfile: false, createdAt: realNow, ...traits });
      await insertPassengerIfAbsent(store.db, made);
      return made;
    },
    newToken: async ({ world, passenger: of, scopes, applicationId = 'demo', expiresInMs = 1000 * HOUR_MS }) => {
      await insertApplicationIfAbsent(store.db, application({ id: applicationId }));
      const token = newToken(randomBytes);
      const grant = {
        tokenHash: hashOf(token),
        applicationId,
        passengerId: of?.id ?? null,
        worldId: world.id,
        scopes: scopes ?? SCOPES[of ? 'userToken' : 'clientToken'],
      };
      const issued = { issuedAt: realNow, expiresAt: realNow + expiresInMs };
      await insertAccessToken(store.db, accessToken({ ...grant, ...issued }));
      return token;
    },
    client,
    newRider: async (world, traits) => {
      const rider = await self.newPassenger(world, traits);
      const token = await self.newToken({ world, passenger: rider });
      return { passenger: rider, token, api: client({ token }) };
    },
    close: async () => {
      await close(server);
      await sender.close();
      await store.close();
    },
  };
  return self;
}

export const LIVE = LIVE_WORLD;
