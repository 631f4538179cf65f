import { EventEmitter, once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { draw, pick } from '../../../server/domain/chance.ts';
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

/** Each reaction as often as it is listed. */
const MOODS: readonly Mood[] = [
  ...(['ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'hang'] as const),
  ...(['error', 'error', 'error', 'error', 'reset', 'reset', 'reset', 'slow', 'slow', 'slow'] as const),
];
const FAILING: readonly Mood[] = ['error', 'hang', 'reset'];
const SLOWEST_MS = 3 * SECOND_MS;

export type ChaosReceiver = Awaited<ReturnType<typeof startChaosReceiver>>;

/**
 * Starts an unreliable webhook receiver. @param mostFailures most failures of one event; after nine, the server gives
 * up
 */
export async function startChaosReceiver(seed: string, mostFailures: number) {
  const arrivals: Arrival[] = [];
  const happenings = new EventEmitter();
  const failures = new Map<string | null, number>();
  let isCalm = false;
  const moodFor = (eventId: string | null): Mood => {
    const failed = failures.get(eventId) ?? 0;
    const mood = isCalm ? 'ok' : pick(MOODS, draw(seed, 'mood', arrivals.length));
    if (!FAILING.includes(mood)) return mood;
    failures.set(eventId, failed + 1);
    return failed < mostFailures ? mood : 'ok';
  };
  const server = createServer(async (request, response) => {
    const body = await buffer(request).catch(() => null);
    // the sender was killed while it sent the body
    if (body === null) return;
    const { event_id: id } = Object(parsed(body.toString())) as { readonly event_id?: unknown };
    const eventId = typeof id === 'string' ? id : null;
    const [signature] = [request.headers['x-svc-signature']].flat();
    const happened = { arrivedAt: Date.now(), mood: moodFor(eventId), acknowledgedAt: null };
    const arrival: Arrival = { eventId, body, signature, ...happened };
    arrivals.push(arrival);
    happenings.emit('arrival');
    await meet(arrival, response, SLOWEST_MS * draw(seed, 'slowness', arrivals.length));
  });
  return {
    url: `${await listen(server)}/webhooks`,
    arrivals: arrivals as readonly Arrival[],
    /** Emits `arrival` for each webhook. */
    happenings,
    /** Responds to every webhook with 200 from now on. */
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

async function meet(arrival: Arrival, response: ServerResponse, slownessMs: number): Promise<void> {
  if (arrival.mood === 'hang') return;
  if (arrival.mood === 'reset') return void response.socket?.resetAndDestroy();
  response.writeHead(arrival.mood === 'error' ? 500 : 200);
  if (arrival.mood === 'slow') {
    response.flushHeaders();
    await pause(slownessMs);
  }
  // the sender may have been killed during the pause
  if (response.destroyed) return;
  response.end(() => {
    if (arrival.mood !== 'error') arrival.acknowledgedAt = Date.now();
  });
}
