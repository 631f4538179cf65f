import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer, type Server as NetServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AppParts, createApp, routersBeside } from './app.ts';
import { auditTo } from './audit.ts';
import { BUILD } from './build.ts';
import { geography } from './cities/geography.ts';
import { type Config, MOST_CLOSING_MS, MOST_ENDING_MS, readConfig, warningsAbout } from './config.ts';
import { DEMO, DEMO_DEVELOPER, DEMO_PASSENGERS, seedDemo, seedLiveWorld, WITH_DEMO, WITHOUT_DEMO } from './demo.ts';
import { simulatedFleet } from './domain/fleet/simulated-fleet.ts';
import { closeServer } from './http/close-server.ts';
import { chooseGuard } from './http/compiled-guard.ts';
import { createFastServer } from './http/fast-server.ts';
import { connectRedis, type Redis } from './limits/redis/connection.ts';
import { countsInRedis } from './limits/redis/counts.ts';
import { namesBy } from './limits/redis/names.ts';
import { THROTTLES_IN_MEMORY } from './limits/throttles.ts';
import { countInMemory } from './limits/windows.ts';
import { PORTAL_PATHS } from './links.ts';
import { newLogger, writeWaitingLines } from './log.ts';
import { memoize } from './memoize.ts';
import { openCommandSocket } from './operator/command-socket.ts';
import type { Parts } from './parts.ts';
import { priceTokens } from './price-tokens.ts';
import { openSigningKeys } from './signing-keys.ts';
import { simulatedPaymentProvider } from './simulated/payment-provider.ts';
import { simulatedTextMessages } from './simulated/text-messages.ts';
import { hasApplicationBeside } from './store/applications.ts';
import { releaseAllLeases } from './store/deliveries/claim.ts';
import { releaseAllTimers } from './store/due-timers.ts';
import { type OpenStore, openStore } from './store/engine/open.ts';
import { ranAt } from './store/migrate.ts';
import { untilUnlocked } from './store/until-unlocked.ts';
import { OUTDATED_PORTS_FOR_MS } from './webhooks/delivery/ports.ts';
import { createSendingThread } from './webhooks/delivery/sending-thread.ts';
import { startDeliveryWorker } from './webhooks/delivery/worker.ts';
import { newAdvances } from './workers/advances.ts';
import { freeApplicationId } from './workers/application-ends.ts';
import { startKeyReader } from './workers/key-reader.ts';
import { startRequestRecorder } from './workers/request-recorder.ts';
import { startResendWorker } from './workers/resends.ts';
import { newStepGate } from './workers/step-gate.ts';
import { startSweeper } from './workers/sweep.ts';
import { startTimerWorker } from './workers/timers.ts';

/**
 * Simulated cars in memory, in the fleets of all worlds. Each takes about 0.9 KB: together 130 MB. A search computes
 * the hundreds of cars around its point.
 * @beyond the least recently used fleet is dropped, and computed again when needed
 * @heldBy tests/domain/fleet.test.ts
 */
const MOST_CARS = 150_000;
/** systemd keeps the socket open while the server restarts, so connections wait instead of being refused. */
const SYSTEMDS_SOCKET = { fd: 3 };

// Node would print everything in the error, including data; logged at every LOG_LEVEL
process.on('uncaughtException', (error) => {
  newLogger('fatal').fatal({ err: error }, 'the server is stopping because of an unexpected error');
  process.exit(1);
});

// the database, its log and its lock contain secrets: only this user may read them
process.umask(0o077);

await main().catch((error: NodeJS.ErrnoException) => {
  console.error(error instanceof Error ? error.message : error);
  if (error.code === 'EADDRINUSE')
    console.error('Set a free port with PORT or --port, or that of the metrics with METRICS_PORT.');
  // connections to the database would keep the process alive for a while
  process.exit(1);
});

async function main(): Promise<void> {
  const config = readConfig(process.env);
  // Until the server is up, a signal ends the process immediately. A start can take long if the database does not
  // respond. There are no requests in progress, and the database rolls back uncommitted work.
  let end: () => void = () => process.exit(0);
  // not `once`: a second signal without a listener would end the process before it drains
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => end());

  const logger = newLogger(config.logLevel);
  logger.info(BUILD, 'the server is starting');
  const store = await openStore(config.databaseUrl);
  const { tracesUrl } = config;
  // these modules are loaded only on a server that needs them
  const metrics =
    config.metrics && (await import('./metrics/metrics.ts')).openMetrics({ store, logger, now: Date.now });
  const traces = tracesUrl === null ? null : (await import('./traces/traces.ts')).openTraces(tracesUrl, { logger });
  const redis = config.redisUrl === null ? null : await connectRedis(config.redisUrl, logger);
  const seen = { meter: metrics?.meter ?? null, tracer: traces?.tracer ?? null };
  const recorder = config.hasRequestLog ? startRequestRecorder({ store: store.forWorkers, logger, ...seen }) : null;
  const parts = await partsOf(config, { store, logger, ...seen, requestLog: recorder }, redis);
  const audit = auditTo(parts.logger);
  for (const warning of warningsAbout(config)) parts.logger.warn(warning);
  await untilUnlocked(() => seedLiveWorld(parts.store, parts.now()));
  if (parts.hasDemo) {
    await untilUnlocked(() => freeApplicationId(parts, DEMO.clientId));
    await untilUnlocked(() => seedDemo(parts.store, parts.now(), parts.publicUrl));
  }

  let isDraining = false;
  const app = createApp(parts, { routers: routersBeside(parts), isDraining: () => isDraining });
  const server = createFastServer(app, parts, config.connections);
  await listen(server, config);
  const beside = isAlsoOnIpv6(config) ? await listenOnIpv6(server, config) : null;
  if (config.metrics) await metrics?.listen(config.metrics);
  // an SQLite file has one owner at a time, so every lease in it belongs to a process that has ended
  if (parts.store.engine === 'sqlite') {
    await releaseAllTimers(parts.store.db);
    await releaseAllLeases(parts.store.db);
  }
  const inBackground = { ...parts, store: store.forWorkers };
  const timers = startTimerWorker(inBackground);
  const deliveries = startDeliveryWorker(inBackground, parts.sender);
  const resends = startResendWorker(inBackground);
  const sweeper = startSweeper(inBackground);
  const keyReader = startKeyReader(parts);
  const socket = await openCommandSocket(config.databaseUrl, { ...parts, audit });

  const drain = async () => {
    if (isDraining) return;
    isDraining = true;
    audit({ event: 'server', result: 'stopping' });
    // not ready, but still serving: a load balancer needs a moment to send requests elsewhere
    await sleep(config.drainMs);
    setTimeout(() => process.exit(1), MOST_CLOSING_MS + MOST_ENDING_MS).unref();
    sweeper.stop();
    keyReader.stop();
    const advances = parts.advances.stop();
    const closed = beside?.close() && once(beside, 'close');
    await Promise.all([closeServer(server, MOST_CLOSING_MS), closed, deliveries.stop(MOST_CLOSING_MS)]);
    await Promise.all([timers.stop(), resends.stop()]);
    await parts.sender.close();
    await advances;
    await socket.close();
    await recorder?.stop();
    await metrics?.close();
    await traces?.close();
    await redis?.close();
    await parts.store.close();
  };
  end = () => void drain();
  audit({ event: 'server', result: 'started' });
  writeWaitingLines();
  announce(config, config.isProduction && !(await hasApplicationBeside(store.db, DEMO.clientId)));
}

async function partsOf(
  config: Config,
  { store, ...others }: Pick<Parts, 'logger' | 'meter' | 'tracer' | 'requestLog'> & { readonly store: OpenStore },
  redis: Redis | null,
): Promise<AppParts> {
  const { publicUrl, trustedProxies, allowedHosts, corsOrigins, isProduction } = config;
  const { simulationSpeed, rateLimitMultiplier, callsAtOnce, portalSignUp, hasDemo } = config;
  const { logger } = others;
  const webhookTargets = { allowPrivate: config.webhookAllowPrivate, requireHttps: isProduction };
  const keyParts = { store, now: Date.now, randomBytes, audit: auditTo(logger) };
  const signingKeys = await untilUnlocked(() => openSigningKeys(keyParts));
  return {
    ...{ store, ...others, geography, randomBytes, signingKeys, webhookTargets },
    ...{ publicUrl, trustedProxies, allowedHosts, corsOrigins },
    ...{ simulationSpeed, rateLimitMultiplier, callsAtOnce, portalSignUp, hasDemo },
    now: Date.now,
    fleetOf: memoize(simulatedFleet, MOST_CARS),
    paymentProvider: simulatedPaymentProvider,
    // a simulated code would verify a phone that no one has checked
    textMessages: isProduction ? null : simulatedTextMessages(),
    sender: createSendingThread({
      ...webhookTargets,
      logger,
      outdatedPortsUntil: (await ranAt(store.db, '0023-offers')) + OUTDATED_PORTS_FOR_MS,
    }),
    advances: newAdvances(),
    steps: newStepGate(),
    ...(redis === null
      ? { countCall: countInMemory(), throttles: THROTTLES_IN_MEMORY }
      : countsInRedis(redis, namesBy(signingKeys))),
    priceTokens: priceTokens(signingKeys),
    ...(hasDemo ? WITH_DEMO : WITHOUT_DEMO),
    isDevelopment: !isProduction,
    storeOfSandboxes: store.forSandboxes,
    contractGuard: await chooseGuard(logger),
    contractBreach: isProduction ? 'log' : 'fail',
  };
}

function listen(server: Server, { port, host }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(hasSystemdsSocket(process.env) ? SYSTEMDS_SOCKET : { port, host }, resolve);
  });
}

/** Not beside systemd's socket, whose unit says where the server listens. */
function isAlsoOnIpv6({ isProduction, host }: Config): boolean {
  return !isProduction && host === '127.0.0.1' && !hasSystemdsSocket(process.env);
}

/** Programs that look up `localhost` can get ::1 first, or nothing else. Null: this machine has no IPv6. */
function listenOnIpv6(server: Server, { port }: Config): Promise<NetServer | null> {
  const beside = createServer((socket) => server.emit('connection', socket));
  return new Promise((resolve, reject) => {
    beside.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? reject(error) : resolve(null),
    );
    beside.listen({ port, host: '::1' }, () => resolve(beside));
  });
}

/** systemd sets the variables for the process that it starts, not for processes that inherit them: sd_listen_fds(3). */
function hasSystemdsSocket({ LISTEN_PID, LISTEN_FDS }: NodeJS.ProcessEnv): boolean {
  return LISTEN_PID === String(process.pid) && LISTEN_FDS === '1';
}

/** @param isEmpty whether no one can get a token yet */
function announce({ publicUrl, isProduction, hasDemo }: Config, isEmpty: boolean): void {
  console.log(`ridehail is ready at ${publicUrl}`);
  if (isEmpty) {
    console.log('  no application  ridehail-server developer create --email EMAIL');
    console.log('                  ridehail-server app create --name NAME --redirect-uri URI --developer EMAIL');
  }
  if (isProduction) return;
  console.log(`  docs            ${publicUrl}/docs`);
  if (!hasDemo) {
    console.log(
      '  no demo         others can reach this server, or DEMO is false; DEMO=true adds the demo application',
    );
    return;
  }
  console.log(`  client ID       ${DEMO.clientId}`);
  console.log(`  client secret   ${DEMO.clientSecret}`);
  console.log(`  sandbox secret  ${DEMO.sandboxClientSecret}`);
  console.log(`  passengers      ${DEMO_PASSENGERS.map(({ email }) => email).join(', ')}`);
  console.log(`  developer       ${DEMO_DEVELOPER.email}, at ${publicUrl}${PORTAL_PATHS.overview}`);
  console.log(`  password        ${DEMO.password} (for all of them)`);
}
