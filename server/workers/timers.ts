import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '../domain/time.ts';
import { RIDE_TIMER } from '../rides/save.ts';
import { claimDueTimers, nextRealDue, releaseTimers, type Timer } from '../store/timers.ts';
import { WorldGone } from '../store/worlds.ts';
import { runRideTimer, type TimerParts } from './ride-timers.ts';

/** After it another worker takes over. */
const LEASE_MS = 30 * SECOND_MS;
/** The rest is longer than any step takes. */
const MOST_OF_LEASE_MS = LEASE_MS / 2;
/** How many timers a worker claims at once. */
const MOST_CLAIMED = 50;
/** The worker's line at the gate. */
const LINE = 'timers';
/** How long a new timer of another process may stay unnoticed. */
const LONGEST_PAUSE_MS = SECOND_MS / 4;

/** What each kind of timer does when it is due. */
const RUN: Readonly<Record<string, typeof runRideTimer>> = {
  [RIDE_TIMER]: runRideTimer,
};

/** Runs one timer: see runRideTimer. Throws an Error for a kind that this server does not know. */
export async function runTimer(parts: TimerParts, timer: Timer, realNow?: number): Promise<void> {
  const runOfKind = RUN[timer.kind];
  if (runOfKind === undefined) throw new Error(`No worker runs timers of kind ${timer.kind}`);
  await runOfKind(parts, timer, realNow);
}

/**
 * Runs every timer that is due, in due order. A timer that fails is logged, and tried again when its lease ends.
 * @param signal ends the run between two timers
 * @returns how many were run
 */
export async function runDueTimers(parts: TimerParts, signal?: AbortSignal): Promise<number> {
  for (let count = 0; ; ) {
    const claim = { realNow: parts.now(), leaseMs: LEASE_MS, limit: MOST_CLAIMED };
    const due = await claimDueTimers(parts.store.db, claim);
    if (due.length === 0) return count;
    const left = await runWhileLeased(parts, due, claim.realNow + MOST_OF_LEASE_MS, signal);
    count += due.length - left.length;
    await releaseTimers(parts.store.db, left, claim);
    if (signal?.aborted) return count;
  }
}

/**
 * @param until real milliseconds UTC: after it no further timer begins, because another worker may soon have it
 * @returns the timers that were not run
 */
async function runWhileLeased(
  parts: TimerParts,
  timers: readonly Timer[],
  until: number,
  signal: AbortSignal | undefined,
): Promise<readonly Timer[]> {
  for (const [i, timer] of timers.entries()) {
    const mayRun = () => !signal?.aborted && parts.now() < until;
    if (!(await parts.steps.run(LINE, async () => mayRun() && (await run(parts, timer))))) return timers.slice(i);
  }
  return [];
}

/** Runs a timer. Logs its failure. @returns true */
async function run(parts: TimerParts, timer: Timer): Promise<true> {
  await runTimer(parts, timer, parts.now()).catch((error: unknown) => {
    // the world's timers were deleted with it
    if (error instanceof WorldGone) return;
    parts.logger.error({ err: error, kind: timer.kind, subject: timer.subjectId }, 'a timer failed');
  });
  return true;
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
    const next = await runDueTimers(parts, signal)
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
