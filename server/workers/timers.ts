import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '../domain/time.ts';
import { RIDE_TIMER } from '../rides/save.ts';
import { claimDueTimers, nextRealDue, type Timer } from '../store/timers.ts';
import { WorldGone } from '../store/worlds.ts';
import { runRideTimer, type TimerParts } from './ride-timers.ts';

/** Longer than any step takes; after it another worker takes over. */
const LEASE_MS = 30 * SECOND_MS;
const BATCH = 50;
/** How long a new timer of another process may go unseen. */
const LONGEST_PAUSE_MS = SECOND_MS / 4;

/** What each kind of timer does when it is due. */
const RUN: Readonly<Record<string, (parts: TimerParts, timer: Timer) => Promise<void>>> = {
  [RIDE_TIMER]: runRideTimer,
};

/** Runs one timer. Throws an Error for a kind that this server does not know. */
export async function runTimer(parts: TimerParts, timer: Timer): Promise<void> {
  const run = RUN[timer.kind];
  if (run === undefined) throw new Error(`No worker runs timers of kind ${timer.kind}`);
  await run(parts, timer);
}

/**
 * Runs everything that is due by now, in due order, until nothing is. A timer that fails is logged, and tried again when its lease is over.
 * @returns how many were run
 */
export async function runDueTimers(parts: TimerParts): Promise<number> {
  let count = 0;
  for (;;) {
    const due = await claimDueTimers(parts.store.db, { realNow: parts.now(), leaseMs: LEASE_MS, limit: BATCH });
    if (due.length === 0) return count;
    for (const timer of due) {
      await runTimer(parts, timer).catch((error: unknown) => {
        // its timers went with it
        if (error instanceof WorldGone) return;
        parts.logger.error({ err: error, kind: timer.kind, subject: timer.subjectId }, 'a timer failed');
      });
    }
    count += due.length;
  }
}

/** A worker that runs timers as they fall due, until it is stopped. */
export interface TimerWorker {
  /** Resolves when what was under way is done. */
  stop(): Promise<void>;
}

export function startTimerWorker(parts: TimerParts): TimerWorker {
  const stopping = new AbortController();
  const stopped = work(parts, stopping.signal);
  return {
    stop: () => {
      stopping.abort();
      return stopped;
    },
  };
}

async function work(parts: TimerParts, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const next = await runDueTimers(parts)
      .then(() => nextRealDue(parts.store.db))
      .catch((error: unknown) => {
        parts.logger.error({ err: error }, 'timers cannot be read');
        return null;
      });
    const pause = Math.min(LONGEST_PAUSE_MS, Math.max(1, (next ?? Number.POSITIVE_INFINITY) - parts.now()));
    // stopping ends the sleep
    await sleep(pause, undefined, { signal }).catch(() => {});
  }
}
