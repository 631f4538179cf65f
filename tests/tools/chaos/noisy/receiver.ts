import { createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { listen } from '../../../support/listen.ts';
import { startReceiver as startAny } from '../../../support/receiver.ts';
import { AFTER_A_HEAD, BEFORE_A_HEAD, pour } from '../../../webhooks/support/endless.ts';
import type { Call } from './others.ts';

/** Webhooks are due at whole multiples of this interval, so the receiver knows when to expect them. */
const PLANNED_EVERY_MS = 100;
/** Enough for the longest round. */
const PLANNED_COUNT = 1200;
/** The first webhook is due this long after the preparation, when the server has started. */
const FIRST_AFTER_MS = 1000;

/** A webhook that takes longer counts as failed. */
const LONGEST_MS = 10_000;
const LOOK_AGAIN_MS = 20;

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

const firstPlannedAfter = (at: number) => Math.ceil(at / PLANNED_EVERY_MS) * PLANNED_EVERY_MS;

/** Events whose webhooks a receiver measures, for `addEvents`. */
export function plannedEvents() {
  const first = firstPlannedAfter(Date.now() + FIRST_AFTER_MS);
  const dueAt = (index: number) => first + index * PLANNED_EVERY_MS;
  const body = (eventId: string, index: number) => JSON.stringify({ event_id: eventId, due_at: dueAt(index) });
  return { count: PLANNED_COUNT, dueAt, body };
}

const ENDLESS = [...BEFORE_A_HEAD, ...AFTER_A_HEAD];

/** Receives webhooks at three URLs: one responds immediately, one never does, and one responds without end. */
export async function startReceiver() {
  const arrivedAt = new Map<number, number>();
  const { url, at, close } = await startAny(({ path, body }) => {
    if (path === '/hanging') return new Promise<never>(() => {});
    const { due_at: dueAt } = JSON.parse(body);
    if (!arrivedAt.has(dueAt)) arrivedAt.set(dueAt, Date.now());
    return 200;
  });
  const poured = new Set<Socket>();
  const pouring = createServer((socket) => pour(socket, ENDLESS[poured.add(socket).size % ENDLESS.length]!));
  const pouringUrl = await listen(pouring);
  return {
    soundUrl: `${url}/sound`,
    hangingUrl: `${url}/hanging`,
    pouringUrl,
    /** How many responses without end began. */
    poured: () => poured.size,
    /** How many arrived at the URL that never responds. */
    hanging: () => at('/hanging').length,
    /** Measures the delay of the webhooks that were due in a span of time. Their bodies contain their due times. */
    measure: async (forMs: number) => {
      const from = Date.now();
      const to = from + forMs;
      await pause(forMs);
      const due: number[] = [];
      for (let at = firstPlannedAfter(from); at < to; at += PLANNED_EVERY_MS) due.push(at);
      while (Date.now() < to + LONGEST_MS && due.some((at) => !arrivedAt.has(at))) await pause(LOOK_AGAIN_MS);
      return due.map((dueAt): Call => {
        const arrived = arrivedAt.get(dueAt);
        const failure = arrived === undefined ? `no webhook within ${LONGEST_MS / 1000} s` : null;
        return { at: dueAt - from, ms: (arrived ?? Date.now()) - dueAt, failure };
      });
    },
    close: async () => {
      for (const socket of poured) socket.destroy();
      pouring.close();
      await close();
    },
  };
}
