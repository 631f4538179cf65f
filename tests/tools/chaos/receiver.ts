import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { draw } from '../../../server/domain/chance.ts';
import { SECOND_MS } from '../../../server/domain/time.ts';
import { close, listen } from '../../support/listen.ts';
import { parsed } from '../../support/parsed.ts';

/** A webhook that arrived completely. Instants are in milliseconds UTC. */
export interface Arrival {
  /** Null if the body has no event ID. */
  readonly eventId: string | null;
  readonly body: Buffer;
  /** The X-Svc-Signature header. */
  readonly signature: string | undefined;
  readonly arrivedAt: number;
  readonly mood: Mood;
  /** When the receiver finished sending a 200; null if it did not, or if the sender had disconnected. */
  acknowledgedAt: number | null;
}

/** The receiver's reaction to a webhook: an immediate 200, a delayed 200, a 500, no response, or a connection reset. */
export type Mood = 'ok' | 'slow' | 'error' | 'hang' | 'reset';

/** The probability of each reaction. Otherwise `ok`. */
const LIKELIHOODS: ReadonlyArray<readonly [Mood, number]> = [
  ['error', 0.2],
  ['reset', 0.15],
  ['slow', 0.15],
  ['hang', 0.05],
];
const FAILING: readonly Mood[] = ['error', 'hang', 'reset'];
const SLOWEST_MS = 3 * SECOND_MS;

/** An unreliable webhook receiver, until `calmDown`. */
export interface ChaosReceiver {
  readonly url: string;
  readonly arrivals: readonly Arrival[];
  /** Emits `arrival` for each webhook. */
  readonly happenings: EventEmitter;
  /** Responds to every webhook with 200 from now on. */
  calmDown(): void;
  close(): Promise<void>;
}

/** @param mostFailures most failures of one event; after nine, the server gives up */
export async function startChaosReceiver(seed: string, mostFailures: number): Promise<ChaosReceiver> {
  const arrivals: Arrival[] = [];
  const happenings = new EventEmitter();
  const failures = new Map<string | null, number>();
  let isCalm = false;
  const moodFor = (eventId: string | null): Mood => {
    const failed = failures.get(eventId) ?? 0;
    const mood = isCalm ? 'ok' : moodAt(draw(seed, 'mood', arrivals.length));
    if (!FAILING.includes(mood)) return mood;
    failures.set(eventId, failed + 1);
    return failed < mostFailures ? mood : 'ok';
  };
  const server = createServer(async (request, response) => {
    const body = await buffer(request).catch(() => null);
    // the sender was killed while it sent the body
    if (body === null) return;
    const arrival = arrivalOf(request, body, moodFor);
    arrivals.push(arrival);
    happenings.emit('arrival');
    await meet(arrival, response, SLOWEST_MS * draw(seed, 'slowness', arrivals.length));
  });
  return {
    url: `${await listen(server)}/webhooks`,
    arrivals,
    happenings,
    calmDown: () => {
      isCalm = true;
    },
    close: () => close(server),
  };
}

/** Resolves on the next event, or after `longestMs`. */
export async function next(happenings: EventEmitter, name: string, longestMs: number): Promise<void> {
  const signal = AbortSignal.timeout(Math.max(0, Math.ceil(longestMs)));
  await once(happenings, name, { signal }).catch(() => {});
}

function moodAt(number: number): Mood {
  let below = 0;
  for (const [mood, likelihood] of LIKELIHOODS) {
    below += likelihood;
    if (number < below) return mood;
  }
  return 'ok';
}

function arrivalOf(request: IncomingMessage, body: Buffer, moodFor: (eventId: string | null) => Mood): Arrival {
  const eventId = eventIdIn(body);
  const signature = request.headers['x-svc-signature'];
  return {
    eventId,
    body,
    signature: typeof signature === 'string' ? signature : undefined,
    arrivedAt: Date.now(),
    mood: moodFor(eventId),
    acknowledgedAt: null,
  };
}

function eventIdIn(body: Buffer): string | null {
  const { event_id: id } = Object(parsed(body.toString())) as { readonly event_id?: unknown };
  return typeof id === 'string' ? id : null;
}

async function meet(arrival: Arrival, response: ServerResponse, slownessMs: number): Promise<void> {
  if (arrival.mood === 'hang') return;
  if (arrival.mood === 'reset') {
    response.socket?.resetAndDestroy();
    return;
  }
  response.writeHead(arrival.mood === 'error' ? 500 : 200);
  if (arrival.mood === 'slow') {
    response.flushHeaders();
    await pause(slownessMs);
  }
  // the sender may have been killed during the pause
  if (response.destroyed) return;
  const sent = once(response, 'finish').then(
    () => true,
    () => false,
  );
  response.end();
  if ((await sent) && arrival.mood !== 'error') arrival.acknowledgedAt = Date.now();
}
