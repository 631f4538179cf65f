import { SECOND_MS } from '../domain/time.ts';
import { latest } from './latest.ts';
import { attemptsOf, type Limit, MOST_KEYS, type Verdict } from './throttle.ts';

/** The longest wait after wrong sign-ins, regardless of their number. @beyond the next attempt is checked */
export const LONGEST_WAIT_SECONDS = 60;
/** The wait after the last free attempt. It doubles with every further attempt. */
export const FIRST_WAIT_SECONDS = 1;

/** How attempts are slowed down. Attempts expire one by one, every `windowSeconds / attempts` seconds. */
export interface Slowing<Attempt> {
  /** After its free attempts, a key allows one attempt per wait. */
  readonly paces: readonly Limit<Attempt>[];
  /**
   * A key whose free attempts other people can use up. Each caller's wait then starts with their own first attempt, and
   * other callers' attempts do not extend it. So a caller who returns after the wait is let in, even during an attack.
   */
  readonly shared?: Limit<Attempt> & { readonly callerOf: (attempt: Attempt) => string };
}

/**
 * Slows attempts down where a limit would lock users out. Counts an attempt before it is made, so that concurrent
 * attempts cannot all pass. An attempt that has to wait does not count.
 */
export function slowDown<Attempt>(
  { paces, shared }: Slowing<Attempt>,
  multiplier: number,
  mostKeys = MOST_KEYS,
): (attempt: Attempt) => Verdict {
  const counters = paces.map((pace) => countTries(pace, multiplier, mostKeys));
  const sharedCounter = shared && countTries(shared, multiplier, mostKeys);
  /** When each caller may use a shared key. */
  const opensAt = latest<number>(mostKeys);

  /** Starts the caller's wait, unless it has already started. */
  const openingOf = (caller: string, waitMs: number, now: number): number => {
    // the clock can be set back
    const opening = Math.min(opensAt.get(caller) ?? Number.POSITIVE_INFINITY, now + waitMs);
    opensAt.set(caller, opening);
    return opening;
  };

  return (attempt) => {
    const now = Date.now();
    const opening = Math.max(...counters.map(({ openingFor }) => openingFor(attempt, now)), now);
    if (opening > now) return waitUntil(opening, now);
    const crowdWaitMs = sharedCounter?.waitMsOf(attempt, now) ?? 0;
    const caller = shared?.callerOf(attempt) ?? '';
    if (crowdWaitMs > 0) {
      const ownOpening = openingOf(caller, crowdWaitMs, now);
      if (ownOpening > now) return waitUntil(ownOpening, now);
      opensAt.set(caller, now + crowdWaitMs);
    }
    const taken = [...counters, ...(sharedCounter ? [sharedCounter] : [])].map(({ take }) => take(attempt, now));
    const takeBack = () => {
      for (const undo of taken) undo();
      if (crowdWaitMs > 0) opensAt.set(caller, now);
    };
    return { takeBack };
  };
}

function waitUntil(opening: number, now: number): { readonly waitSeconds: number } {
  return { waitSeconds: Math.ceil((opening - now) / SECOND_MS) };
}

/** The attempts with one key. Times are in milliseconds of the process clock. */
interface Count {
  /** Attempts at `countedAt`; fractional, because attempts expire gradually. */
  tries: number;
  countedAt: number;
  /** When the next attempt is allowed. */
  opensAt: number;
}

/** How attempts are counted for each key of a limit. */
export interface Pace {
  /** How many attempts need no wait. */
  readonly free: number;
  /** How long an attempt counts. */
  readonly forgetMs: number;
  /** Further attempts do not lengthen the wait, so they are not counted. */
  readonly most: number;
}

export function paceOf<Attempt>(limit: Limit<Attempt>, multiplier: number): Pace {
  const free = attemptsOf(limit, multiplier);
  const forgetMs = (limit.windowSeconds * SECOND_MS) / free;
  return { free, forgetMs, most: free + Math.log2(LONGEST_WAIT_SECONDS / FIRST_WAIT_SECONDS) };
}

function countTries<Attempt>(limit: Limit<Attempt>, multiplier: number, mostKeys: number) {
  const { free, forgetMs, most } = paceOf(limit, multiplier);
  const counts = latest<Count>(mostKeys);

  const countOf = (key: string, now: number): Count => {
    const count = counts.get(key) ?? { tries: 0, countedAt: now, opensAt: now };
    const setBackMs = Math.max(0, count.countedAt - now);
    if (setBackMs > 0) {
      // the clock was set back: keep the remaining wait
      count.opensAt -= setBackMs;
      count.countedAt = now;
    }
    const forgotten = (now - count.countedAt) / forgetMs;
    return { tries: Math.max(0, count.tries - forgotten), countedAt: now, opensAt: count.opensAt };
  };
  const waitMsAfter = (tries: number): number => {
    // a partly expired attempt still counts; otherwise, one more would be free almost immediately
    const whole = Math.ceil(tries);
    return whole < free ? 0 : Math.min(LONGEST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2 ** (whole - free)) * SECOND_MS;
  };

  return {
    openingFor: (attempt: Attempt, now: number): number => {
      const key = limit.keyOf(attempt);
      return key === null ? now : countOf(key, now).opensAt;
    },
    waitMsOf: (attempt: Attempt, now: number): number => {
      const key = limit.keyOf(attempt);
      return key === null ? 0 : waitMsAfter(countOf(key, now).tries);
    },
    /** @returns a function that uncounts the attempt */
    take: (attempt: Attempt, now: number): (() => void) => {
      const key = limit.keyOf(attempt);
      if (key === null) return () => {};
      const before = countOf(key, now);
      const tries = Math.min(most, before.tries + 1);
      const opening = now + waitMsAfter(tries);
      counts.set(key, { tries, countedAt: now, opensAt: opening });
      return () => {
        const count = counts.get(key);
        if (count === undefined) return;
        count.tries = Math.max(0, count.tries - (tries - before.tries));
        if (count.opensAt === opening) count.opensAt = now;
      };
    },
  };
}
