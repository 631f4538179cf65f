import { instant } from './clock.ts';
import type { Answered } from './receivers.ts';

interface Entry {
  /** Index of the endpoint in the stage. */
  readonly endpoint: number;
  /** The time before the commit, so the wait for the disk counts. */
  readonly committedAt: number;
  answeredAt: number | null;
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The delivery speed of some endpoints in a span of time. */
export interface Speed {
  /** Events that got a 200 in the span, per second. */
  readonly rate: number;
  /** Milliseconds from the commit to the 200, for events committed in the span. */
  readonly p50: number;
  readonly p99: number;
}

/** Records when each event of a stage was committed, and when its receiver returned 200. */
export interface Journal {
  committed(eventId: string, endpoint: number): void;
  answered(answered: readonly Answered[]): void;
  readonly done: number;
  /** Events sent again after their 200. */
  readonly repeated: number;
  /** The number of events without a 200 so far, of the matching endpoints. */
  waiting(isOf: (endpoint: number) => boolean): number;
  speed(span: Span, isOf: (endpoint: number) => boolean): Speed;
}

export function openJournal(): Journal {
  const entries = new Map<string, Entry>();
  const open = new Map<number, number>();
  const count = (endpoint: number, by: number) => void open.set(endpoint, (open.get(endpoint) ?? 0) + by);
  let done = 0;
  let repeated = 0;
  return {
    committed: (eventId, endpoint) => {
      if (!entries.has(eventId)) count(endpoint, 1);
      entries.set(eventId, { endpoint, committedAt: instant(), answeredAt: null });
    },
    answered: (answered) => {
      for (const [eventId, at] of answered) {
        const entry = entries.get(eventId)!;
        if (entry.answeredAt === null) {
          entry.answeredAt = at;
          count(entry.endpoint, -1);
          done += 1;
        } else repeated += 1;
      }
    },
    get done() {
      return done;
    },
    get repeated() {
      return repeated;
    },
    waiting: (isOf) => [...open].reduce((sum, [endpoint, waiting]) => sum + (isOf(endpoint) ? waiting : 0), 0),
    speed: ({ from, to }, isOf) => {
      const within = (at: number | null) => at !== null && at >= from && at < to;
      const ours = [...entries.values()].filter(({ endpoint }) => isOf(endpoint));
      const answered = ours.filter(({ answeredAt }) => within(answeredAt)).length;
      // an event without a 200 counts as the slowest
      const latencies = ours
        .filter(({ committedAt }) => within(committedAt))
        .map(({ committedAt, answeredAt }) => (answeredAt ?? Number.POSITIVE_INFINITY) - committedAt)
        .sort((a, b) => a - b);
      const rate = (answered * 1000) / (to - from);
      return { rate, p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) };
    },
  };
}

/** Nearest rank; NaN for an empty list. */
function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
}
