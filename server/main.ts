import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type AppParts, createApp, routersBeside } from './app.ts';
import { auditTo } from './audit.ts';
import { geography } from './cities/geography.ts';
import { type Config, readConfig, warningsAbout } from './config.ts';
import { DEMO, DEMO_PASSENGERS, seedDemo, seedLiveWorld, WITHOUT_DEMO } from './demo.ts';
import { simulatedFleet } from './domain/fleet/simulated-fleet.ts';
import { SECOND_MS } from './domain/time.ts';
import { compileAhead } from './http/compiled-contract.ts';
import { createFastServer } from './http/fast-server.ts';
import { newLogger } from './log.ts';
import { memoize } from './memoize.ts';
import { openDoor } from './operator/door.ts';
import { priceTokens } from './price-tokens.ts';
import { openSigningKeys } from './signing-keys.ts';
import { simulatedPaymentProvider } from './simulated/payment-provider.ts';
import { simulatedTextMessages } from './simulated/text-messages.ts';
import { releaseAllLeases } from './store/deliveries/claim.ts';
import { releaseAllTimers } from './store/due-timers.ts';
import { openStore, type Store } from './store/open.ts';
import { createSender } from './webhooks/delivery/send.ts';
import { startDeliveryWorker } from './webhooks/delivery/worker.ts';
import { newAdvances } from './workers/advances.ts';
import { startKeyReader } from './workers/key-reader.ts';
import { newStepGate } from './workers/step-gate.ts';
import { startSweeper } from './workers/sweep.ts';
import { startTimerWorker } from './workers/timers.ts';

/** How long requests and webhooks in progress may take once the server accepts no more. */
const MOST_CLOSING_MS = 10 * SECOND_MS;
/** How long the rest of a shutdown may take, such as closing a database that does not answer. */
const MOST_ENDING_MS = 5 * SECOND_MS;
const LOOK_FOR_IDLE_EVERY_MS = SECOND_MS / 10;
const MOST_FLEETS = 100;
/** systemd keeps the socket open while the server restarts, so connections wait instead of being refused. */
const SYSTEMDS_SOCKET = { fd: 3 };

// node would print all that the error holds. It is said at every LOG_LEVEL
process.on('uncaughtException', (error) => {
  newLogger('fatal').fatal({ err: error }, 'the server ends because of a fault');
  process.exit(1);
});

// the database, its log and its lock hold secrets: only this user may read them
process.umask(0o077);

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  // connections to the database would keep the process alive for a while
  process.exit(1);
});

async function main(): Promise<void> {
  const config = readConfig(process.env);
  // a start can take long, and a database that does not answer must not outlive a signal. Nobody is served yet, and
  // what the database has not committed it rolls back
  let end: () => void = () => process.exit(0);
  // not `once`: a second signal without a listener would end the process before it has drained
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => end());

  const store = await openStore(config.databaseUrl);
  const parts = await partsOf(config, store, newLogger(config.logLevel));
  const audit = auditTo(parts.logger);
  for (const warning of warningsAbout(config)) parts.logger.warn(warning);
  await seedLiveWorld(parts.store, parts.now());
  if (parts.hasDemo) await seedDemo(parts.store, parts.now(), parts.publicUrl);

  let isDraining = false;
  const app = await createApp(parts, { routers: routersBeside(parts), isDraining: () => isDraining });
  const server = createFastServer(app, parts.logger, config.connections);
  await listen(server, config);
  // an SQLite file has one owner at a time, so every lease in it belongs to a dead process
  if (parts.store.engine === 'sqlite') {
    await releaseAllTimers(parts.store.db);
    await releaseAllLeases(parts.store.db);
  }
  const inBackground = { ...parts, store: store.forWorkers };
  const timers = startTimerWorker(inBackground);
  const deliveries = startDeliveryWorker(inBackground, parts.sender);
  const sweeper = startSweeper(inBackground);
  const compiling = new AbortController();
  const keyReader = startKeyReader(parts);
  const door = await openDoor(config.databaseUrl, { ...parts, audit });

  const drain = async () => {
    if (isDraining) return;
    isDraining = true;
    audit({ event: 'server', result: 'stopping' });
    // not ready, but still serving: a load balancer needs a moment to send requests elsewhere
    await sleep(config.drainMs);
    setTimeout(() => process.exit(1), MOST_CLOSING_MS + MOST_ENDING_MS).unref();
    sweeper.stop();
    compiling.abort();
    keyReader.stop();
    const advances = parts.advances.stop();
    await Promise.all([closeServer(server), deliveries.stop(MOST_CLOSING_MS)]);
    await timers.stop();
    await parts.sender.close();
    await advances;
    await door.close();
    await parts.store.close();
  };
  end = () => void drain();
  audit({ event: 'server', result: 'started' });
  announce(config);
  await compileAhead(parts.steps, parts.contractBreach, compiling.signal);
}

async function partsOf(config: Config, store: Store, logger: Logger): Promise<AppParts> {
  const webhookTargets = { allowPrivate: config.webhookAllowPrivate, requireHttps: config.isProduction };
  const signingKeys = await openSigningKeys({ store, now: Date.now, randomBytes, audit: auditTo(logger) });
  return {
    store,
    geography,
    fleetOf: memoize(simulatedFleet, MOST_FLEETS),
    now: Date.now,
    randomBytes,
    publicUrl: config.publicUrl,
    trustedProxies: config.trustedProxies,
    paymentProvider: simulatedPaymentProvider,
    // a simulated code would verify a phone that nobody has seen
    textMessages: config.isProduction ? null : simulatedTextMessages(),
    allowedHosts: config.allowedHosts,
    corsOrigins: config.corsOrigins,
    webhookTargets,
    sender: createSender({ ...webhookTargets, now: Date.now }),
    advances: newAdvances(),
    steps: newStepGate(),
    simulationSpeed: config.simulationSpeed,
    rateLimitMultiplier: config.rateLimitMultiplier,
    callsAtOnce: config.callsAtOnce,
    priceTokens: priceTokens(signingKeys),
    signingKeys,
    ...(config.hasDemo ? { refusedApplications: new Set(), refusedPassengers: new Set() } : WITHOUT_DEMO),
    hasDemo: config.hasDemo,
    isDevelopment: !config.isProduction,
    contractBreach: config.isProduction ? 'log' : 'fail',
    logger,
  };
}

function listen(server: Server, { port, host }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(hasSystemdsSocket(process.env) ? SYSTEMDS_SOCKET : { port, host }, resolve);
  });
}

/** The variables are for the process that systemd started, not for those that inherit them: sd_listen_fds(3). */
function hasSystemdsSocket({ LISTEN_PID, LISTEN_FDS }: NodeJS.ProcessEnv): boolean {
  return LISTEN_PID === String(process.pid) && LISTEN_FDS === '1';
}

/** Takes no new requests, lets those in progress end, and closes the remaining connections after a while. */
function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // a response that began before does not close its connection, which may become idle at any time
    const closing = setInterval(() => server.closeIdleConnections(), LOOK_FOR_IDLE_EVERY_MS);
    server.close(() => {
      clearInterval(closing);
      resolve();
    });
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), MOST_CLOSING_MS).unref();
  });
}

function announce({ publicUrl, isProduction, hasDemo }: Config): void {
  console.log(`ridehail is ready at ${publicUrl}`);
  if (isProduction) return;
  console.log(`  docs            ${publicUrl}/docs`);
  if (!hasDemo) {
    console.log(
      '  no demo         others can reach this server, or DEMO is false; DEMO=true adds the demo application',
    );
    return;
  }
  console.log(`  client id       ${DEMO.clientId}`);
  console.log(`  client secret   ${DEMO.clientSecret}`);
  console.log(`  sandbox secret  ${DEMO.sandboxClientSecret}`);
  console.log(`  passengers      ${DEMO_PASSENGERS.map(({ email }) => email).join(', ')}`);
  console.log(`  their password  ${DEMO.password}`);
}
