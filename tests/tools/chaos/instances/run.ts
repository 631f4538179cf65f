import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Operations } from '../../../../generated/client.ts';
import { DEMO, DEMO_PASSENGERS } from '../../../../server/demo.ts';
import { SECOND_MS } from '../../../../server/domain/time.ts';
import { setRefreshTokenRotation } from '../../../../server/store/applications.ts';
import { CONNECTION_BOUNDS } from '../../../../server/store/engine/connections.ts';
import { type OpenStore, openStore } from '../../../../server/store/engine/open.ts';
import { basic } from '../../../support/demo-caller.ts';
import { FROZEN } from '../../../support/sandboxes.ts';
import { askAs } from '../calls.ts';
import { readStored } from '../evidence.ts';
import { type Passenger, startPassenger } from '../passenger.ts';
import { type ChaosReceiver, startChaosReceiver } from '../receiver.ts';
import { lastRides, sendWebhooksTo } from '../run.ts';
import { LATEST_MS } from '../verdict.ts';
import { type Balancer, startBalancer } from './balancer.ts';
import { type InstancesEvidence, readAttempts } from './evidence.ts';
import { type Fleet, startFleet } from './fleet.ts';
import { type Plan, strikeAll } from './strikes.ts';
import { newWallet, type Wallet } from './tokens.ts';
import { watchChanges } from './visibility.ts';
import { advanceUntil, type ChaosWorld, flush, makeWorld } from './worlds.ts';

const SPEED = 120;
/** Longer than most calls take, and long enough for the balancer to notice the drain. */
const DRAIN_SECONDS = 2;
const PASSENGERS_IN_A_WORLD = 2;
const ADVANCERS = ['one', 'two'];
const LOOK_AGAIN_MS = SECOND_MS;
const LIVE_CLIENT = { id: DEMO.clientId, secret: DEMO.clientSecret };

export interface InstancesOptions extends Plan {
  /** URL of an empty PostgreSQL database. */
  readonly databaseUrl: string;
  readonly instances: number;
  /** Most failures of one event. Keep it low, because a restart waits for a receiver that hangs. */
  readonly mostFailures: number;
  /** Aborts the run with an error. */
  readonly signal: AbortSignal;
  readonly report: (line: string) => void;
}

/** Registers a function that cleans up at the end. */
type AtEnd = (end: () => Promise<unknown>) => void;

/**
 * Strikes several servers on one database while passengers take rides. Then lets all rides end. @returns the evidence
 */
export async function runInstances(options: InstancesOptions): Promise<InstancesEvidence> {
  const ends: (() => Promise<unknown>)[] = [];
  const isOver = new Promise<never>((_, reject) => {
    options.signal.addEventListener('abort', () => reject(options.signal.reason), { once: true });
  });
  try {
    return await Promise.race([play(options, (end) => ends.unshift(end)), isOver]);
  } finally {
    for (const end of ends) await end();
  }
}

async function play(options: InstancesOptions, atEnd: AtEnd): Promise<InstancesEvidence> {
  const scene = await startScene(options, atEnd);
  const { fleet, receiver, balancer, store, over } = scene;
  const demo = await sendWebhooksTo(receiver.url, fleet.urls[0]!);
  await setRefreshTokenRotation(store.db, DEMO.clientId, true);
  const { wallets, worlds, watched } = await createPassengers(scene);
  const passengers = wallets.map(([name, wallet]) => startOne(scene, name, wallet));
  const stopHelpers = startHelpers(scene, wallets, worlds, atEnd);

  const { rolled, sightings } = await strikeAndWatch(scene, watched, atEnd);
  receiver.calmDown();
  options.report('The receiver stops failing. Waiting for the last rides to end.');
  await lastRides(passengers, over);
  await stopHelpers();
  await waitForAllEvents(scene, worlds);
  const tokens = await tryTokens(balancer, wallets);
  await fleet.stop();
  return {
    ...(await readStored(options.databaseUrl)),
    attempts: await readAttempts(store),
    verificationToken: { production: demo.verification_token, sandbox: demo.sandbox_verification_token },
    arrivals: receiver.arrivals,
    shown: new Map(passengers.flatMap(({ shown }) => [...shown])),
    confirmed: passengers.flatMap(({ confirmed }) => confirmed),
    calls: balancer.calls,
    strikes: fleet.strikes,
    ...{ rolled, sightings, tokens },
    errors: fleet.errors(),
  };
}

interface Scene {
  readonly options: InstancesOptions;
  readonly fleet: Fleet;
  readonly receiver: ChaosReceiver;
  readonly balancer: Balancer;
  readonly store: OpenStore;
  /** Ends the calls of passengers. */
  readonly over: AbortController;
}

/** Starts the instances and everything around them. */
async function startScene(options: InstancesOptions, atEnd: AtEnd): Promise<Scene> {
  const fleet = await startFleet(options.instances, {
    DATABASE_URL: options.databaseUrl,
    SIMULATION_SPEED: String(SPEED),
    RATE_LIMIT_MULTIPLIER: '1000',
    DRAIN_SECONDS: String(DRAIN_SECONDS),
  });
  atEnd(fleet.end);
  const receiver = await startChaosReceiver(options.seed, options.mostFailures);
  atEnd(receiver.close);
  const balancer = startBalancer(fleet.urls);
  atEnd(balancer.close);
  const store = await openStore(options.databaseUrl, { bounds: FEW_CONNECTIONS });
  atEnd(store.close);
  const over = controllerUntil(atEnd);
  await balancer.ready([...fleet.urls.keys()]);
  return { options, fleet, receiver, balancer, store, over };
}

function controllerUntil(atEnd: AtEnd): AbortController {
  const controller = new AbortController();
  // each renewal and each advance adds a listener
  setMaxListeners(0, controller.signal);
  atEnd(async () => controller.abort());
  return controller;
}

/** Renews tokens and advances the frozen clocks. @returns a function that stops both */
function startHelpers(
  { options, balancer, receiver }: Scene,
  wallets: ReadonlyArray<readonly [string, Wallet]>,
  worlds: readonly ChaosWorld[],
  atEnd: AtEnd,
): () => Promise<void> {
  const helping = controllerUntil(atEnd);
  const { happenings } = receiver;
  const shared = { seed: options.seed, balancer, happenings, over: helping.signal };
  const frozen = worlds.filter(({ isFrozen }) => isFrozen);
  const work = [
    ...wallets.map(([, wallet]) => wallet.renewUntil(helping.signal)),
    ...frozen.flatMap((world) => ADVANCERS.map((name) => advanceUntil(world, { name, ...shared }))),
  ];
  return async () => {
    helping.abort();
    await Promise.all(work);
  };
}

async function strikeAndWatch({ options, fleet, balancer, receiver, store }: Scene, world: ChaosWorld, atEnd: AtEnd) {
  const striking = controllerUntil(atEnd);
  const watching = watchChanges({ seed: options.seed, fleet, balancer, store, world }, striking.signal);
  const rolled = await strikeAll(options, fleet, balancer, receiver, options.report);
  striking.abort();
  return { rolled, sightings: await watching };
}

const FEW_CONNECTIONS = {
  ...CONNECTION_BOUNDS,
  requests: { ...CONNECTION_BOUNDS.requests, most: 2 },
  workers: { ...CONNECTION_BOUNDS.workers, most: 1 },
};

/**
 * The demo passengers in the live world, and some in sandboxes: one with a running clock, and two that are advanced.
 */
async function createPassengers({ options, fleet, balancer }: Scene) {
  const { seed, report } = options;
  const inWorld = { seed, report, passengers: PASSENGERS_IN_A_WORLD };
  const worlds = await Promise.all([
    makeWorld(balancer, { state: 'running' }, { ...inWorld, name: 'running' }),
    makeWorld(balancer, FROZEN, { ...inWorld, name: 'frozen' }),
    makeWorld(balancer, FROZEN, { ...inWorld, name: 'frozen too' }),
  ]);
  const watched = await makeWorld(balancer, FROZEN, { seed, report, name: 'watched', passengers: 0 });
  const live = DEMO_PASSENGERS.map(async ({ email }): Promise<[string, Wallet]> => {
    const first = await liveTokens(fleet.urls[0]!, balancer, email);
    return [email, newWallet({ name: email, seed, balancer, report, client: LIVE_CLIENT, first })];
  });
  const made = worlds.flatMap(({ id, wallets }) =>
    wallets.map((wallet, i): [string, Wallet] => [`${id} ${i}`, wallet]),
  );
  return { worlds, watched, wallets: [...(await Promise.all(live)), ...made] };
}

async function liveTokens(baseUrl: string, balancer: Balancer, email: string) {
  const consent = await fetch(`${baseUrl}/development/codes`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email }),
  });
  const { code } = (await consent.json()) as { code: string };
  const { data, error } = await balancer.client().createToken({
    body: { grant_type: 'authorization_code', code },
    headers: basic(LIVE_CLIENT.id, LIVE_CLIENT.secret),
  });
  if (data === undefined) throw new Error(`createToken failed: ${JSON.stringify(error)}`);
  return data;
}

function startOne({ options, balancer, receiver, over }: Scene, name: string, wallet: Wallet): Passenger {
  const api: Operations = balancer.client(wallet.current);
  const { happenings } = receiver;
  return startPassenger({ name, seed: options.seed, ask: askAs(() => api, over.signal), happenings });
}

/**
 * Waits as long as webhooks may take, and advances the frozen clocks. If a killed instance got a 200 that it could not
 * record, the delivery is repeated when its lease expires.
 */
async function waitForAllEvents({ store, balancer, options }: Scene, worlds: readonly ChaosWorld[]): Promise<void> {
  const until = Date.now() + LATEST_MS;
  const waiting = async () => {
    const rows = await store.db.selectFrom('deliveries').select('eventId').where('status', '=', 'pending').execute();
    return rows.length;
  };
  await Promise.all(worlds.filter(({ isFrozen }) => isFrozen).map((world) => flush(world, balancer)));
  for (let left = await waiting(); left > 0 && Date.now() < until; left = await waiting()) {
    options.report(`${left} events have not arrived yet.`);
    await pause(LOOK_AGAIN_MS);
  }
}

/** Calls the API with every token from a response. */
async function tryTokens(balancer: Balancer, wallets: ReadonlyArray<readonly [string, Wallet]>) {
  const tokens = { given: 0, refused: 0, renewals: 0, failedRenewals: 0 };
  for (const [, wallet] of wallets) {
    for (const token of wallet.access) {
      tokens.given += 1;
      if ((await balancer.client(token).getProfile()).response.status !== 200) tokens.refused += 1;
    }
    tokens.renewals += 1;
    if (!(await wallet.renewOnce())) tokens.failedRenewals += 1;
  }
  return tokens;
}
