import { SECOND_MS } from '../domain/time.ts';
import { latest } from './latest.ts';

/** Keys that a limit of attempts counts at once, such as networks. @beyond the least recently used key starts over */
export const MOST_KEYS = 100_000;

export interface Limit<Attempt> {
  readonly attempts: number;
  readonly windowSeconds: number;
  /** Null for an attempt that the limit does not apply to. */
  readonly keyOf: (attempt: Attempt) => string | null;
}

/** Either the attempt may proceed, and `takeBack` uncounts it, or it must wait. */
export type Verdict = { readonly takeBack: () => void } | { readonly waitSeconds: number };

/**
 * Counts an attempt before it is made, so that concurrent attempts cannot all pass. If an attempt exceeds one limit, no
 * limit counts it. Windows use the process clock, like those of the rate limits.
 */
export function throttle<Attempt>(limits: readonly Limit<Attempt>[], multiplier: number, mostKeys = MOST_KEYS) {
  const windows = limits.map((limit) => ({
    keyOf: limit.keyOf,
    take: countInWindows(attemptsOf(limit, multiplier), limit.windowSeconds, mostKeys),
  }));
  return (attempt: Attempt): Verdict => {
    const counted: Count[] = [];
    const takeBack = () => {
      for (const count of counted) count.attempts -= 1;
    };
    for (const { keyOf, take } of windows) {
      const key = keyOf(attempt);
      if (key === null) continue;
      const taken = take(key);
      if ('waitSeconds' in taken) {
        takeBack();
        return taken;
      }
      counted.push(taken);
    }
    return { takeBack };
  };
}

export function attemptsOf({ attempts }: Pick<Limit<never>, 'attempts'>, multiplier: number): number {
  return Math.max(1, Math.floor(attempts * multiplier));
}

interface Count {
  attempts: number;
  /** In milliseconds of the process clock. */
  readonly endsAt: number;
}

/** Counts attempts in windows. A window begins with its first attempt. Attempts beyond `most` do not count. */
function countInWindows(most: number, windowSeconds: number, mostKeys: number) {
  const counts = latest<Count>(mostKeys);
  return (key: string): Count | { readonly waitSeconds: number } => {
    const now = Date.now();
    const known = counts.get(key);
    const count = known && known.endsAt > now ? known : { attempts: 0, endsAt: now + windowSeconds * SECOND_MS };
    if (count.attempts >= most) return { waitSeconds: Math.ceil((count.endsAt - now) / SECOND_MS) };
    count.attempts += 1;
    counts.set(key, count);
    return count;
  };
}
