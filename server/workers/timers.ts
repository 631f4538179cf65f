import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '../domain/time.ts';
import { RIDE_TIMER } from '../rides/save.ts';
import { claimDueTimers, nextRealDue, type Timer } from '../store/timers.ts';
import { WorldGone } from '../store/worlds.ts';
import { runRideTimer, type TimerParts } from './ride-timers.ts';

/** Longer than any step takes; after it another worker takes over. */
const LEASE_MS = 30 * SECOND_MS;
const BATCH = 50;
/** How long a new timer of another process may stay unnoticed. */
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
 * Runs every timer that is due, in due order. A timer that fails is logged, and tried again when its lease ends.
 * @returns how many were run
 */
export async function runDueTimers(parts: TimerParts): Promise<number> {
  let count = 0;
  for (;;) {
    const due = await claimDueTimers(parts.store.db, { realNow: parts.now(), leaseMs: LEASE_MS, limit: BATCH });
    if (due.length === 0) return count;
    for (const timer of due) {
      await runTimer(parts, timer).catch((error: unknown) => {
        // the world's timers were deleted with it
        if (error instanceof WorldGone) return;
        parts.logger.error({ err: error, kind: timer.kind, subject: timer.subjectId }, 'a timer failed');
      });
    }
    count += due.length;
  }
}

/** Runs timers as they become due, until it is stopped. */
export interface TimerWorker {
  /** Resolves when the timers in progress are done. */
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
