import { setTimeout as pause } from 'node:timers/promises';
import { startReceiver as startAny } from '../../../support/receiver.ts';
import type { Call, Meter } from './others.ts';

/** The first webhook is due this long after the preparation, when the server has started. */
export const FIRST_AFTER_MS = 1000;
/** Webhooks are due at whole multiples of this interval, so the meter knows when to expect them. */
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
  const { url, at, close } = await startAny(({ path, body }) => {
    if (path === '/hanging') return new Promise<never>(() => {});
    const { due_at: dueAt } = JSON.parse(body);
    if (!arrivedAt.has(dueAt)) arrivedAt.set(dueAt, Date.now());
    return 200;
  });
  return {
    soundUrl: `${url}/sound`,
    hangingUrl: `${url}/hanging`,
    hanging: () => at('/hanging').length,
    meter: {
      measure: async (forMs) => {
        const from = Date.now();
        const to = from + forMs;
        await pause(forMs);
        const due: number[] = [];
        for (let at = Math.ceil(from / PLANNED_EVERY_MS) * PLANNED_EVERY_MS; at < to; at += PLANNED_EVERY_MS)
          due.push(at);
        while (Date.now() < to + LONGEST_MS && due.some((at) => !arrivedAt.has(at))) await pause(LOOK_AGAIN_MS);
        return due.map((dueAt): Call => {
          const arrived = arrivedAt.get(dueAt);
          const failure = arrived === undefined ? `no webhook within ${LONGEST_MS / 1000} s` : null;
          return { at: dueAt - from, ms: (arrived ?? Date.now()) - dueAt, failure };
        });
      },
      close: async () => {},
    },
    close,
  };
}
