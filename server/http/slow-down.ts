import { SECOND_MS } from '../domain/time.ts';
import { latest } from './latest.ts';
import { attemptsOf, type Limit, MOST_KEYS, type Verdict } from './throttle.ts';

/** The longest that anybody waits, however many tries there were before. */
export const LONGEST_WAIT_SECONDS = 60;
/** The wait after the last try that is free. It doubles with every further try. */
export const FIRST_WAIT_SECONDS = 1;

/** How tries are slowed down. Of a window's attempts, each is forgotten after its share of the window. */
export interface Slowing<Attempt> {
  /** A key that has used up its attempts can be tried once in each wait. */
  readonly paces: readonly Limit<Attempt>[];
  /**
   * A key that strangers use up too. Then every caller waits, from their own first try on, and tries of others do not
   * prolong it: however many try, a caller who comes back after the wait gets in.
   */
  readonly shared?: Limit<Attempt> & { readonly callerOf: (attempt: Attempt) => string };
}

/**
 * Slows down tries where a limit would lock out. Counts a try before it is made, so that concurrent ones cannot all pass.
 * A try that has to wait counts for nothing.
 */
export function slowDown<Attempt>(
  { paces, shared }: Slowing<Attempt>,
  multiplier: number,
  mostKeys = MOST_KEYS,
): (attempt: Attempt) => Verdict {
  const counters = paces.map((pace) => countTries(pace, multiplier, mostKeys));
  const sharedCounter = shared && countTries(shared, multiplier, mostKeys);
  /** From when a caller may try a key that is shared, by caller. */
  const opensAt = latest<number>(mostKeys);

  /** Begins the caller's wait, unless it has begun. */
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

/** The tries with one key. Instants are of the process clock. */
interface Count {
  /** At `countedAt`; not whole, because tries are forgotten little by little. */
  tries: number;
  countedAt: number;
  /** When the next try may be made. */
  opensAt: number;
}

/** How the tries with each key of a limit are counted. */
export interface Pace {
  /** How many tries are free. */
  readonly free: number;
  /** After how long a try is forgotten. */
  readonly forgetMs: number;
  /** Further tries wait no longer, so there is no need to remember them. */
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
      // the clock was set back: the wait stays as long as it was
      count.opensAt -= setBackMs;
      count.countedAt = now;
    }
    const forgotten = (now - count.countedAt) / forgetMs;
    return { tries: Math.max(0, count.tries - forgotten), countedAt: now, opensAt: count.opensAt };
  };
  const waitMsAfter = (tries: number): number => {
    // a try of which only a part is forgotten still counts: otherwise one more would be free as soon as any time goes by
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
    /** @returns what takes it back */
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
