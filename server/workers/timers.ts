import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '../domain/time.ts';
import type { WorldKind } from '../domain/worlds/clock.ts';
import { LIVE_WORLD } from '../domain/worlds/live.ts';
import { claimDueTimers, dueSandboxes, nextRealDue, releaseTimers } from '../store/due-timers.ts';
import { isLockTimeout } from '../store/engine/errors.ts';
import { RIDE_TIMER, type Timer } from '../store/timers.ts';
import { WorldGone } from '../store/worlds.ts';
import { runRideTimer, type TimerParts } from './ride-timers.ts';
import { MOST_STEPS_AT_ONCE } from './step-gate.ts';

/** When a lease expires, another worker takes over. */
const LEASE_MS = 30 * SECOND_MS;
/**
 * How long a worker runs the timers that it has claimed. The remaining half is longer than any step takes.
 * @beyond it releases the rest
 * @heldBy tests/workers/big-worlds.test.ts
 */
const MOST_OF_LEASE_MS = LEASE_MS / 2;
/** Live timers that a worker claims at once. @beyond the next claim gets the rest */
const MOST_CLAIMED = 50;
/**
 * Timers of a sandbox that run before the next sandbox's turn.
 * @beyond further ones wait for its next turn; live rides do not wait
 * @heldBy tests/workers/timers.test.ts
 */
const MOST_CLAIMED_OF_SANDBOX = 4;
/**
 * Sandboxes, or due timers in sandboxes, that one statement reads to find sandboxes with due timers. On SQLite, all calls wait for it.
 * @beyond the next statement continues
 * @heldBy tests/store/timers.test.ts
 */
const MOST_SANDBOXES_SEEN = 200;
/**
 * Live steps, and sandboxes with steps, that a worker runs concurrently. On PostgreSQL, they wait for the database.
 * Steps of one sandbox run one after the other.
 * @beyond further ones wait
 * @heldBy tests/workers/timers.test.ts
 */
const MOST_SIDE_BY_SIDE = MOST_STEPS_AT_ONCE / 2;
/** Pause of the worker that advances rides. @beyond a new timer of another process waits this long */
const LONGEST_PAUSE_MS = SECOND_MS / 4;

/** Runs one timer: see runRideTimer. Throws an Error for a kind that this server does not know. */
export async function runTimer(parts: TimerParts, timer: Timer, realNow?: number): Promise<void> {
  if (timer.kind !== RIDE_TIMER) throw new Error(`No worker runs timers of kind ${timer.kind}`);
  await runRideTimer(parts, timer, realNow);
}

/**
 * Runs every due timer; those of one world run in due order. Live rides do not wait for sandboxes, and sandboxes take
 * turns. A failing timer is logged and retried after its lease expires.
 * @param signal stops the run between two timers
 * @returns how many ran
 */
export async function runDueTimers(parts: TimerParts, signal?: AbortSignal): Promise<number> {
  const counts = await Promise.all([RUN_ALL.live(parts, signal), RUN_ALL.sandbox(parts, signal)]);
  return counts[0] + counts[1];
}

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

/** Runs some timers of each sandbox with due timers. @returns how many ran */
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

/** How much work of a world runs at once. */
interface Share {
  /** Claimed timers. */
  readonly limit: number;
  /** Concurrent steps. */
  readonly atOnce: number;
}

const LIVE_SHARE: Share = { limit: MOST_CLAIMED, atOnce: MOST_SIDE_BY_SIDE };
const SANDBOX_SHARE: Share = { limit: MOST_CLAIMED_OF_SANDBOX, atOnce: 1 };

/**
 * Runs a world's due timers. Stops at half of the lease and releases the rest, because another worker may claim them
 * soon.
 * @returns how many ran
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

/** Processes items in order, up to `most` concurrently. Throws the first failure after all work has ended. */
async function sideBySide<T>(items: readonly T[], most: number, work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  const goOn = async () => {
    for (const item of rest) await work(item);
  };
  const ends = await Promise.allSettled(Array.from({ length: most }, goOn));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

/** Logs a failure instead of throwing it. @returns false if another transaction has locked what the timer changes */
async function run(parts: TimerParts, timer: Timer): Promise<boolean> {
  try {
    await runTimer(parts, timer, parts.now());
  } catch (error) {
    if (isLockTimeout(error)) return false;
    // otherwise, the world's timers were deleted with it
    if (!(error instanceof WorldGone))
      parts.logger.error({ err: error, kind: timer.kind, subject: timer.subjectId }, 'a timer failed');
  }
  return true;
}

/** Runs timers as they become due, until stopped. */
export function startTimerWorker(parts: TimerParts) {
  const stopping = new AbortController();
  // separate loops, so that a backlog of sandboxes does not delay live rides
  const stopped = Promise.all([work(parts, 'live', stopping.signal), work(parts, 'sandbox', stopping.signal)]);
  return {
    /** Resolves when the timers in progress are finished. */
    stop: async (): Promise<void> => {
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
        parts.logger.error({ err: error }, 'could not read the timers');
        return null;
      });
    const pause = Math.min(LONGEST_PAUSE_MS, Math.max(1, (next ?? Number.POSITIVE_INFINITY) - parts.now()));
    // stopping ends the sleep
    await sleep(pause, undefined, { signal }).catch(() => {});
  }
}
