import { type EventEmitter, setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Demo } from '../../../server/cli/development-server.ts';
import { DEMO, DEMO_PASSENGERS, seedDemo, seedLiveWorld } from '../../../server/demo.ts';
import { SECOND_MS } from '../../../server/domain/time.ts';
import { setSettings } from '../../../server/store/applications.ts';
import { basic } from '../../support/demo-caller.ts';
import { FROZEN } from '../../support/sandboxes.ts';
import { type AtEnd, withEnds } from './at-end.ts';
import { type Balancer, dataOf, startBalancer } from './balancer.ts';
import { LATEST_MS } from './events.ts';
import { type Evidence, readStored, type Stored, withStore } from './evidence.ts';
import { type Fleet, startFleet } from './fleet.ts';
import { type Passenger, startPassenger } from './passenger.ts';
import { startChaosReceiver } from './receiver.ts';
import { type Plan, strikeAll } from './strikes.ts';
import { newWallet, type Wallet } from './tokens.ts';
import { watchChanges } from './visibility.ts';
import { advanceUntil, flush, makeWorld } from './worlds.ts';

/** Two minutes of driving take a second. A ride ends within ten seconds, with most of its changes between two kills. */
const SPEED = 120;
/** Longer than most calls take, and long enough for the balancer to notice the drain. */
const DRAIN_SECONDS = 2;
/** Enough for the lease of a killed server to expire, which takes half a minute, and for the last payments. */
const LAST_RIDES_MS = 120 * SECOND_MS;
const PASSENGERS_IN_A_WORLD = 2;
const ADVANCERS = ['one', 'two'];
const LOOK_AGAIN_MS = 5 * SECOND_MS;

export interface ChaosOptions extends Plan {
  /** URL of an empty database: of PostgreSQL if there are several instances. */
  readonly databaseUrl: string;
  readonly instances: number;
  /** Most failures of one event. Keep it low, because a restart waits for a receiver that hangs. */
  readonly mostFailures: number;
  /** Aborts the run with an error. */
  readonly signal: AbortSignal;
  readonly report: (line: string) => void;
}

/** What everyone in a run shares. */
export interface Scene {
  readonly seed: string;
  readonly balancer: Balancer;
  /** Emits `arrival` for each webhook, and `call` on each call that changes something. */
  readonly happenings: EventEmitter;
  readonly report: (line: string) => void;
}

/**
 * Strikes one or several servers on one database while passengers take rides and the webhook receiver sometimes fails.
 * Then lets all rides end. @returns the evidence
 */
export function runChaos(options: ChaosOptions): Promise<Evidence> {
  const isOver = new Promise<never>((_, reject) => {
    options.signal.addEventListener('abort', () => reject(options.signal.reason), { once: true });
  });
  return withEnds((atEnd) => Promise.race([play(options, atEnd), isOver]));
}

async function play(options: ChaosOptions, atEnd: AtEnd): Promise<Evidence> {
  const { databaseUrl, instances, seed, mostFailures, report } = options;
  await withStore(databaseUrl, async (store) => {
    await seedLiveWorld(store, Date.now());
    await seedDemo(store, Date.now(), '');
    // a single server can be down for longer than a rotated token allows a retry
    await setSettings(store.db, DEMO.clientId, { rotatesRefreshTokens: instances > 1 });
  });
  const fleet = await startFleet(instances, {
    DATABASE_URL: databaseUrl,
    SIMULATION_SPEED: String(SPEED),
    RATE_LIMIT_MULTIPLIER: '1000',
    DRAIN_SECONDS: String(DRAIN_SECONDS),
  });
  atEnd(fleet.end);
  const receiver = await startChaosReceiver(seed, mostFailures);
  atEnd(receiver.close);
  const balancer = startBalancer(fleet.urls);
  atEnd(balancer.close);
  await balancer.ready();
  const { happenings } = receiver;
  const scene: Scene = { seed, balancer, happenings, report };

  const demo = await development<Demo>(fleet, 'PUT', 'demo', { webhook_url: receiver.url });
  const worlds = await Promise.all([
    makeWorld(scene, 'running', { state: 'running' }, PASSENGERS_IN_A_WORLD),
    makeWorld(scene, 'frozen', FROZEN, PASSENGERS_IN_A_WORLD),
    makeWorld(scene, 'frozen too', FROZEN, PASSENGERS_IN_A_WORLD),
  ]);
  const watched = await makeWorld(scene, 'watched', FROZEN, 0);
  const live = await Promise.all(DEMO_PASSENGERS.map(({ email }) => liveWallet(scene, fleet, email)));
  const wallets = [...live, ...worlds.flatMap((world) => world.wallets)];
  const over = controllerUntil(atEnd);
  const passengers = wallets.map(({ name, current }) =>
    startPassenger({ name, seed, api: balancer.client(current), happenings, over: over.signal }),
  );
  const frozen = worlds.filter(({ isFrozen }) => isFrozen);
  const helping = controllerUntil(atEnd);
  const help = [
    ...wallets.map((wallet) => wallet.renewUntil(helping.signal)),
    ...frozen.flatMap((world) => ADVANCERS.map((name) => advanceUntil(world, name, scene, helping.signal))),
  ];
  const striking = controllerUntil(atEnd);
  const watching = instances > 1 ? watchChanges({ ...scene, fleet, world: watched }, striking.signal) : [];
  const rolled = await strikeAll(options, scene, fleet, receiver);
  striking.abort();
  const sightings = await watching;

  receiver.calmDown();
  report('The receiver stops failing. Waiting for the last rides to end.');
  await lastRides(passengers, over);
  helping.abort();
  await Promise.all(help);
  await Promise.all(frozen.map((world) => flush(world, scene)));
  const tokens = await tryTokens(balancer, wallets);
  return {
    ...(await lastEvents(options, fleet)),
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

function controllerUntil(atEnd: AtEnd): AbortController {
  const controller = new AbortController();
  // each renewal and each advance adds a listener
  setMaxListeners(0, controller.signal);
  atEnd(async () => controller.abort());
  return controller;
}

/** Calls a development route of the first instance. */
async function development<T>({ urls }: Fleet, method: string, path: string, body: object): Promise<T> {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(`${urls[0]}/development/${path}`, { method, headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path} failed: ${await response.text()}`);
  return (await response.json()) as T;
}

/** The tokens of a demo passenger in the live world. */
async function liveWallet(scene: Scene, fleet: Fleet, email: string): Promise<Wallet> {
  const { code } = await development<{ code: string }>(fleet, 'POST', 'codes', { email });
  const headers = basic(DEMO.clientId, DEMO.clientSecret);
  const body = { grant_type: 'authorization_code', code } as const;
  const first = dataOf(await scene.balancer.client().createToken({ body, headers }));
  return newWallet({ ...scene, name: email, headers, first });
}

async function lastRides(passengers: readonly Passenger[], over: AbortController): Promise<void> {
  const tooLong = new Error(`The last rides did not end within ${LAST_RIDES_MS / SECOND_MS} s.`);
  const timeout = setTimeout(() => over.abort(tooLong), LAST_RIDES_MS);
  await Promise.all(passengers.map((passenger) => passenger.finish())).finally(() => clearTimeout(timeout));
}

/**
 * Stops the servers and reads the database. If webhooks are missing, restarts the servers and waits as long as webhooks
 * may take. If a killed server got a 200 that it could not record, the delivery is repeated when its lease expires.
 */
async function lastEvents({ databaseUrl, report }: ChaosOptions, fleet: Fleet): Promise<Stored> {
  for (const until = Date.now() + LATEST_MS; ; ) {
    await fleet.stop();
    const stored = await readStored(databaseUrl);
    const waiting = stored.events.filter(({ delivery }) => delivery === 'pending').length;
    if (waiting === 0 || Date.now() > until) return stored;
    report(`${waiting} events have not arrived yet.`);
    await fleet.start();
    await pause(LOOK_AGAIN_MS);
  }
}

/** Calls the API with the latest tokens from responses. */
export async function tryTokens(balancer: Balancer, wallets: readonly Wallet[]) {
  const tokens = { given: 0, refused: 0, renewals: wallets.length, failedRenewals: 0 };
  for (const { latest, renewOnce } of wallets) {
    tokens.given += latest().length;
    for (const token of latest()) {
      if ((await balancer.client(token).getProfile()).response.status !== 200) tokens.refused += 1;
    }
    if (!(await renewOnce())) tokens.failedRenewals += 1;
  }
  return tokens;
}
