import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '../domain/time.ts';
import type { WorldKind } from '../domain/worlds/clock.ts';
import { LIVE_WORLD } from '../domain/worlds/live.ts';
import { RIDE_TIMER } from '../rides/save.ts';
import { claimDueTimers, dueSandboxes, nextRealDue, releaseTimers } from '../store/due-timers.ts';
import type { Timer } from '../store/timers.ts';
import { WorldGone } from '../store/worlds.ts';
import { runRideTimer, type TimerParts } from './ride-timers.ts';
import { MOST_STEPS_AT_ONCE } from './step-gate.ts';

/** After it another worker takes over. */
const LEASE_MS = 30 * SECOND_MS;
/** The rest is longer than any step takes. */
const MOST_OF_LEASE_MS = LEASE_MS / 2;
/** How many live timers a worker claims at once. */
const MOST_CLAIMED = 50;
/** How many timers of a sandbox run before the worker turns to the next sandbox. */
const MOST_CLAIMED_OF_SANDBOX = 4;
/** In how many sandboxes one statement looks for due timers: on SQLite all calls wait for it. */
const MOST_SANDBOXES_SEEN = 200;
/**
 * How many live steps, and in how many sandboxes steps, the worker has under way at once. On PostgreSQL they wait for
 * the database. Steps of one sandbox wait for each other.
 */
const MOST_SIDE_BY_SIDE = MOST_STEPS_AT_ONCE / 2;
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
 * Runs every timer that is due, those of a world in due order. Those of live rides do not wait for sandboxes, and
 * sandboxes take turns. A timer that fails is logged, and tried again when its lease ends.
 * @param signal ends the run between two timers
 * @returns how many were run
 */
export async function runDueTimers(parts: TimerParts, signal?: AbortSignal): Promise<number> {
  const counts = await Promise.all([RUN_ALL.live(parts, signal), RUN_ALL.sandbox(parts, signal)]);
  return counts[0] + counts[1];
}

/** Runs every timer that is due in a kind of world. */
const RUN_ALL: Readonly<Record<WorldKind, typeof runDueTimers>> = {
  live: (parts, signal) => untilNone(signal, () => runSome(parts, LIVE_WORLD.id, LIVE_SHARE, signal)),
  sandbox: (parts, signal) =>
    untilNone(signal, async () => {
      const due = await nextRealDue(parts.store.db, 'sandbox');
      return due === null || due > parts.now() ? 0 : runRound(parts, signal);
    }),
};

/** @param run returns how many timers it ran */
async function untilNone(signal: AbortSignal | undefined, run: () => Promise<number>): Promise<number> {
  for (let count = 0; ; ) {
    const ran = await run();
    count += ran;
    if (ran === 0 || signal?.aborted) return count;
  }
}

/** Runs some timers of each sandbox in which some are due. @returns how many */
async function runRound(parts: TimerParts, signal: AbortSignal | undefined): Promise<number> {
  let count = 0;
  for (let after: string | null = ''; after !== null && !signal?.aborted; ) {
    const look = { realNow: parts.now(), after, mostSandboxes: MOST_SANDBOXES_SEEN };
    const { worldIds, last } = await dueSandboxes(parts.store.db, look);
    await sideBySide(worldIds, MOST_SIDE_BY_SIDE, async (worldId) => {
      if (!signal?.aborted) count += await runSome(parts, worldId, SANDBOX_SHARE, signal);
    });
    after = last;
  }
  return count;
}

/** How much of a world is done at once. */
interface Share {
  /** Timers that are claimed. */
  readonly limit: number;
  /** Steps that are under way. */
  readonly atOnce: number;
}

const LIVE_SHARE: Share = { limit: MOST_CLAIMED, atOnce: MOST_SIDE_BY_SIDE };
const SANDBOX_SHARE: Share = { limit: MOST_CLAIMED_OF_SANDBOX, atOnce: 1 };

/**
 * Runs due timers of a world, and releases those that are left when half of the lease is over, because another worker
 * may soon have them.
 * @returns how many were run
 */
async function runSome(
  parts: TimerParts,
  worldId: string,
  { limit, atOnce }: Share,
  signal: AbortSignal | undefined,
): Promise<number> {
  const claim = { worldId, realNow: parts.now(), leaseMs: LEASE_MS, limit };
  const due = await claimDueTimers(parts.store.db, claim);
  const mayRun = () => !signal?.aborted && parts.now() < claim.realNow + MOST_OF_LEASE_MS;
  const left: Timer[] = [];
  await sideBySide(due, atOnce, async (timer) => {
    const wasRun = await parts.steps.run(worldId, async () => mayRun() && (await run(parts, timer)));
    if (!wasRun) left.push(timer);
  });
  await releaseTimers(parts.store.db, left, claim);
  return due.length - left.length;
}

/** Does some work for each item, in order, for so many at once. Throws the first failure once all work has ended. */
async function sideBySide<T>(items: readonly T[], most: number, work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  const goOn = async () => {
    for (const item of rest) await work(item);
  };
  const ends = await Promise.allSettled(Array.from({ length: most }, goOn));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
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
  // each has a line of its own, so a backlog of sandboxes does not delay live rides
  const stopped = Promise.all([work(parts, 'live', stopping.signal), work(parts, 'sandbox', stopping.signal)]);
  return {
    stop: async () => {
      stopping.abort();
      await stopped;
    },
  };
}

async function work(parts: TimerParts, kind: WorldKind, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const next = await RUN_ALL[kind](parts, signal)
      .then(() => nextRealDue(parts.store.db, kind))
      .catch((error: unknown) => {
        parts.logger.error({ err: error }, 'timers cannot be read');
        return null;
      });
    const pause = Math.min(LONGEST_PAUSE_MS, Math.max(1, (next ?? Number.POSITIVE_INFINITY) - parts.now()));
    // stopping ends the sleep
    await sleep(pause, undefined, { signal }).catch(() => {});
  }
}
