import type { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Demo } from '../../../scripts/development-server.ts';
import { DEMO_PASSENGERS } from '../../../server/demo.ts';
import { draw, pick } from '../../../server/domain/chance.ts';
import { SECOND_MS } from '../../../server/domain/time.ts';
import { demoToken } from '../../support/demo-caller.ts';
import { askAs, clientOf } from './calls.ts';
import { type Evidence, readStored } from './evidence.ts';
import { type MortalServer, startMortalServer } from './mortal-server.ts';
import { type Passenger, startPassenger } from './passenger.ts';
import { type ChaosReceiver, isAcknowledged, next, startChaosReceiver } from './receiver.ts';
import { LATEST_MS } from './verdict.ts';

/** Two minutes of driving take a second. A ride ends within ten seconds, with most of its changes between two kills. */
const SPEED = 120;
/** Enough for the lease of a killed server to expire, which takes half a minute, and for the last payments. */
const LAST_RIDES_MS = 120 * SECOND_MS;
const REPORT_EVERY = 10;
/** Longest time between an event and the kill, so that the kill interrupts the work that the event started. */
const SOON_MS = 30;
const STARTING_MS = 300;

export interface ChaosOptions {
  /** URL of an empty database. */
  readonly databaseUrl: string;
  readonly kills: number;
  /** Decides what everyone does. The timing also depends on the machine, so runs with the same seed still differ. */
  readonly seed: string;
  /** Longest time between a start and a kill, in milliseconds. */
  readonly longestLifeMs: number;
  /** Most failures of one event. */
  readonly mostFailures: number;
  readonly report: (line: string) => void;
}

/**
 * Kills a server repeatedly, with passengers and an unreliable receiver. Then lets all rides end. @returns the evidence
 */
export async function runChaos(options: ChaosOptions): Promise<Evidence> {
  const { databaseUrl, seed, report } = options;
  const server = await startMortalServer({
    DATABASE_URL: databaseUrl,
    SIMULATION_SPEED: String(SPEED),
    RATE_LIMIT_MULTIPLIER: '1000',
  });
  const receiver = await startChaosReceiver(seed, options.mostFailures);
  const over = new AbortController();
  try {
    const { verification_token: verificationToken } = await sendWebhooksTo(receiver.url, server.baseUrl());
    const { happenings } = receiver;
    const tokens = await Promise.all(DEMO_PASSENGERS.map(({ email }) => demoToken(server.baseUrl(), email)));
    const passengers = DEMO_PASSENGERS.map(({ email }, i) =>
      startPassenger({ name: email, seed, ask: askAs(clientOf(server, tokens[i]!), over.signal), happenings }),
    );
    await killRepeatedly(server, receiver, options);
    await waitForMoreEventsThan(options.kills, receiver);
    receiver.calmDown();
    report('The receiver stops failing. Waiting for the last rides to end.');
    await lastRides(passengers, over);
    await waitForAllEvents(server, receiver, options);
    return {
      ...(await readStored(databaseUrl)),
      verificationToken,
      starts: server.starts,
      arrivals: receiver.arrivals,
      shown: new Map(passengers.flatMap(({ shown }) => [...shown])),
    };
  } finally {
    over.abort();
    await server.end();
    await receiver.close();
  }
}

/** @returns the demo application with its new verification tokens */
export async function sendWebhooksTo(webhookUrl: string, baseUrl: string): Promise<Demo> {
  const response = await fetch(`${baseUrl}/development/demo`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ webhook_url: webhookUrl }),
  });
  if (!response.ok) throw new Error(`The server refused the webhook URL: ${await response.text()}`);
  return (await response.json()) as Demo;
}

export async function lastRides(passengers: readonly Passenger[], over: AbortController): Promise<void> {
  const tooLong = new Error(`The last rides did not end within ${LAST_RIDES_MS / SECOND_MS} s.`);
  const timeout = setTimeout(() => over.abort(tooLong), LAST_RIDES_MS);
  await Promise.all(passengers.map((passenger) => passenger.finish())).finally(() => clearTimeout(timeout));
}

async function killRepeatedly(server: MortalServer, receiver: ChaosReceiver, options: ChaosOptions): Promise<void> {
  for (let kill = 1; kill <= options.kills; kill++) {
    await momentToKill(receiver.happenings, kill, options);
    await server.kill();
    await server.start();
    if (kill % REPORT_EVERY === 0 || kill === options.kills) {
      options.report(`${kill} of ${options.kills} kills, ${receiver.arrivals.length} webhook requests received`);
    }
  }
}

/** On a slow machine few events fall between two kills, and the verdict needs some. */
async function waitForMoreEventsThan(count: number, { arrivals, happenings }: ChaosReceiver): Promise<void> {
  const until = Date.now() + LAST_RIDES_MS;
  const arrived = () => new Set(arrivals.map(({ eventId }) => eventId)).size;
  while (arrived() <= count && Date.now() < until) await next(happenings, 'arrival', until - Date.now());
}

/** A random moment, or one shortly after a start of the server, a webhook or a passenger's call. */
async function momentToKill(
  happenings: EventEmitter,
  kill: number,
  { seed, longestLifeMs }: ChaosOptions,
): Promise<void> {
  const kind = pick(['any', 'start', 'arrival', 'call'] as const, draw(seed, 'kind of moment', kill));
  // mostly short, but sometimes long enough for the leases of the killed server to expire
  const lifeMs = longestLifeMs * draw(seed, 'life', kill) ** 3;
  const soonMs = draw(seed, 'soon', kill);
  if (kind === 'start') return pause(STARTING_MS * soonMs);
  await pause(lifeMs);
  if (kind === 'any') return;
  await next(happenings, kind, longestLifeMs - lifeMs);
  await pause(SOON_MS * soonMs);
}

/** Stops the server. If events are missing, restarts it and waits as long as webhooks may take. */
async function waitForAllEvents(
  server: MortalServer,
  receiver: ChaosReceiver,
  { databaseUrl, report }: ChaosOptions,
): Promise<void> {
  await server.stop();
  const { events } = await readStored(databaseUrl);
  const missing = events.map(({ eventId }) => eventId).filter((id) => !isAcknowledged(receiver.arrivals, id));
  if (missing.length === 0) return;
  report(
    `${missing.length} of ${events.length} events have not arrived yet. Waiting up to ${LATEST_MS / SECOND_MS} s.`,
  );
  await server.start();
  await receiver.acknowledged(missing, Date.now() + LATEST_MS);
  await server.stop();
}
