import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { close, listen } from '../../../support/listen.ts';
import type { Call, Meter } from './others.ts';

/** The first webhook is due this long after the preparation, when the server has started. */
export const FIRST_AFTER_MS = 1000;
export const PLANNED_EVERY_MS = 100;
/** Enough for the longest round. */
export const PLANNED_COUNT = 1200;

/** A webhook that takes longer counts as failed. */
const LONGEST_MS = 10_000;
const LOOK_AGAIN_MS = 20;

/** Receives webhooks at two URLs: one responds immediately, the other never does. */
export interface Receiver {
  readonly soundUrl: string;
  readonly hangingUrl: string;
  /** Measures the delay of the webhooks that were due in a span of time. Their bodies contain their due times. */
  readonly meter: Meter;
  /** How many arrived at the URL that never responds. */
  hanging(): number;
  close(): Promise<void>;
}

/** The body of a planned webhook. */
export function plannedBody(eventId: string, dueAt: number): string {
  return JSON.stringify({ event_id: eventId, due_at: dueAt });
}

export async function startReceiver(): Promise<Receiver> {
  const arrivedAt = new Map<number, number>();
  let hanging = 0;
  const server = createServer(async (request, response) => {
    const { due_at: dueAt } = JSON.parse(await text(request));
    if (request.url === '/hanging') {
      hanging += 1;
      return;
    }
    response.writeHead(200).end();
    if (!arrivedAt.has(dueAt)) arrivedAt.set(dueAt, Date.now());
  });
  const url = await listen(server);
  return {
    soundUrl: `${url}/sound`,
    hangingUrl: `${url}/hanging`,
    hanging: () => hanging,
    meter: {
      measure: async (forMs) => {
        const from = Date.now();
        const to = from + forMs;
        await pause(forMs);
        const due = plannedBetween(from, to);
        while (Date.now() < to + LONGEST_MS && due.some((at) => !arrivedAt.has(at))) await pause(LOOK_AGAIN_MS);
        return due.map((dueAt): Call => {
          const ms = (arrivedAt.get(dueAt) ?? Date.now()) - dueAt;
          return {
            at: dueAt - from,
            ms,
            failure: arrivedAt.has(dueAt) ? null : `no webhook within ${LONGEST_MS / 1000} s`,
          };
        });
      },
      close: async () => {},
    },
    close: () => close(server),
  };
}

/** Webhooks are due at whole multiples of this interval, so the meter knows when to expect them. */
function plannedBetween(from: number, to: number): number[] {
  const first = Math.ceil(from / PLANNED_EVERY_MS) * PLANNED_EVERY_MS;
  const count = Math.max(0, Math.ceil((to - first) / PLANNED_EVERY_MS));
  return Array.from({ length: count }, (_, index) => first + index * PLANNED_EVERY_MS);
}
