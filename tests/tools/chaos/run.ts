import type { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Demo } from '../../../scripts/development-server.ts';
import { DEMO_PASSENGERS } from '../../../server/demo.ts';
import { draw, pick } from '../../../server/domain/chance.ts';
import { SECOND_MS } from '../../../server/domain/time.ts';
import { type Evidence, readStored } from './evidence.ts';
import { type MortalServer, startMortalServer } from './mortal-server.ts';
import { type Passenger, startPassenger } from './passenger.ts';
import { type ChaosReceiver, isAcknowledged, next, startChaosReceiver } from './receiver.ts';
import { LATEST_MS } from './verdict.ts';

/** Two minutes' drive in a second: a ride is over within ten, and most of its changes come between two kills. */
const SPEED = 120;
/** A timer that a killed server held is free again after half a minute; then the ride's payment is processed. */
const LAST_RIDES_MS = 120 * SECOND_MS;
const REPORT_EVERY = 10;
/** What is under way just then is what a kill may break: at most so long after it began. */
const SOON_MS = 30;
const STARTING_MS = 300;

export interface ChaosOptions {
  /** Of a database that is still empty. */
  readonly databaseUrl: string;
  readonly kills: number;
  /** Decides what everybody does; when it happens depends on the machine too, so no two runs are the same. */
  readonly seed: string;
  /** How long the server lives at most between its start and the kill, milliseconds. */
  readonly longestLifeMs: number;
  /** How often at most the receiver fails an event. */
  readonly mostFailures: number;
  readonly report: (line: string) => void;
}

/**
 * Kills a server again and again while passengers ride and a receiver flaps; then lets everything come to its end.
 * @returns what happened, for `judge`
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
    const verificationToken = await sendWebhooksTo(receiver.url, server.baseUrl());
    const others = { seed, server, happenings: receiver.happenings, over: over.signal };
    const passengers = await Promise.all(DEMO_PASSENGERS.map(({ email }) => startPassenger({ email, ...others })));
    await killAgainAndAgain(server, receiver, options);
    await untilMoreEventsThan(options.kills, receiver);
    receiver.calmDown();
    report('The receiver is calm, and the last rides end.');
    await lastRides(passengers, over);
    await untilAllHaveArrived(server, receiver, options);
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

/** @returns the demo application's new verification token */
async function sendWebhooksTo(webhookUrl: string, baseUrl: string): Promise<string> {
  const response = await fetch(`${baseUrl}/development/demo`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ webhook_url: webhookUrl }),
  });
  if (!response.ok) throw new Error(`The webhook URL was refused: ${await response.text()}`);
  const { verification_token } = (await response.json()) as Demo;
  return verification_token;
}

async function lastRides(passengers: readonly Passenger[], over: AbortController): Promise<void> {
  const tooLong = new Error(`The last rides did not end within ${LAST_RIDES_MS / SECOND_MS} s.`);
  const timeout = setTimeout(() => over.abort(tooLong), LAST_RIDES_MS);
  await Promise.all(passengers.map((passenger) => passenger.finish())).finally(() => clearTimeout(timeout));
}

async function killAgainAndAgain(server: MortalServer, receiver: ChaosReceiver, options: ChaosOptions): Promise<void> {
  for (let kill = 1; kill <= options.kills; kill++) {
    await momentToKill(receiver.happenings, kill, options);
    await server.kill();
    await server.start();
    if (kill % REPORT_EVERY === 0 || kill === options.kills) {
      options.report(`${kill} of ${options.kills} kills; ${receiver.arrivals.length} webhooks arrived.`);
    }
  }
}

/** On a slow machine little happens between two kills, and there has to be something to judge. */
async function untilMoreEventsThan(count: number, { arrivals, happenings }: ChaosReceiver): Promise<void> {
  const until = Date.now() + LAST_RIDES_MS;
  const arrived = () => new Set(arrivals.map(({ eventId }) => eventId)).size;
  while (arrived() <= count && Date.now() < until) await next(happenings, 'arrival', until - Date.now());
}

/** Any moment, or one soon after something began: the server's start, a webhook, a passenger's call. */
async function momentToKill(
  happenings: EventEmitter,
  kill: number,
  { seed, longestLifeMs }: ChaosOptions,
): Promise<void> {
  const kind = pick(['any', 'start', 'arrival', 'call'] as const, draw(seed, 'kind of moment', kill));
  // mostly short, and now and then long enough for what the dead one had claimed to be free again
  const lifeMs = longestLifeMs * draw(seed, 'life', kill) ** 3;
  const soonMs = draw(seed, 'soon', kill);
  if (kind === 'start') return pause(STARTING_MS * soonMs);
  await pause(lifeMs);
  if (kind === 'any') return;
  await next(happenings, kind, longestLifeMs - lifeMs);
  await pause(SOON_MS * soonMs);
}

/** Stops the server; once more after the time that webhooks may take, when some were still under way. */
async function untilAllHaveArrived(
  server: MortalServer,
  receiver: ChaosReceiver,
  { databaseUrl, report }: ChaosOptions,
): Promise<void> {
  await server.stop();
  const { events } = await readStored(databaseUrl);
  const missing = events.map(({ eventId }) => eventId).filter((id) => !isAcknowledged(receiver.arrivals, id));
  if (missing.length === 0) return;
  report(
    `${missing.length} of ${events.length} events have not arrived yet; waiting ${LATEST_MS / SECOND_MS} s at most.`,
  );
  await server.start();
  await receiver.acknowledged(missing, Date.now() + LATEST_MS);
  await server.stop();
}
