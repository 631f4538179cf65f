import { instant } from '../clock.ts';
import type { Answered } from './receivers.ts';

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Selects endpoints by their index. */
export type IsOf = (endpoint: number) => boolean;

/** Records when each event was committed, and when its receiver returned 200. */
export function openJournal() {
  const entries = new Map<string, { readonly endpoint: number; readonly committedAt: number; answeredAt: number }>();
  /** The number of events without a 200 so far, by endpoint. */
  const waiting: number[] = [];
  const count = (endpoint: number, by: number) => {
    waiting[endpoint] = (waiting[endpoint] ?? 0) + by;
  };
  let [done, repeated] = [0, 0];
  return {
    committed: (eventId: string, endpoint: number) => {
      count(endpoint, 1);
      // an event without a 200 counts as the slowest
      entries.set(eventId, { endpoint, committedAt: instant(), answeredAt: Number.POSITIVE_INFINITY });
    },
    answered: (answered: readonly Answered[]) => {
      for (const [eventId, at] of answered) {
        const entry = entries.get(eventId)!;
        if (entry.answeredAt < at) repeated += 1;
        else {
          entry.answeredAt = at;
          count(entry.endpoint, -1);
          done += 1;
        }
      }
    },
    done: () => done,
    /** Events sent again after their 200. */
    repeated: () => repeated,
    waiting: (isOf: IsOf) => waiting.reduce((sum, events, endpoint) => sum + (isOf(endpoint) ? events : 0), 0),
    /**
     * The events per second that got a 200 in the span, and the milliseconds from the commit to the 200 of the events
     * that were committed in it. The commit includes the wait for the disk.
     */
    speed: ({ from, to }: Span, isOf: IsOf) => {
      const isWithin = (at: number) => at >= from && at < to;
      const ours = [...entries.values()].filter(({ endpoint }) => isOf(endpoint));
      const latencies = ours
        .filter(({ committedAt }) => isWithin(committedAt))
        .map(({ committedAt, answeredAt }) => answeredAt - committedAt)
        .sort((a, b) => a - b);
      const percentile = (share: number) => latencies[Math.ceil(share * latencies.length) - 1] ?? Number.NaN;
      const answered = ours.filter(({ answeredAt }) => isWithin(answeredAt)).length;
      return { rate: (answered * 1000) / (to - from), p50: percentile(0.5), p99: percentile(0.99) };
    },
  };
}
