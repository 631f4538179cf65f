import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { SECOND_MS } from '../domain/time.ts';

/** How many attempts with one key are let through in a window. */
export interface Limit<Attempt> {
  readonly attempts: number;
  readonly windowSeconds: number;
  readonly keyOf: (attempt: Attempt) => string;
}

/** An attempt that may go on, and does not count any more once it was taken back; or one that must wait. */
export type Verdict = { readonly takeBack: () => Promise<void> } | { readonly waitSeconds: number };

/**
 * Counts attempts before they are made, so that many at once do not slip through together. One that exceeds any of the limits
 * counts for none. Windows are timed by the process clock, as those of the API's limits are.
 */
export function throttle<Attempt>(limits: readonly Limit<Attempt>[], multiplier: number) {
  const counters = limits.map(({ attempts, windowSeconds, keyOf }) => {
    const points = Math.max(1, Math.floor(attempts * multiplier));
    return { keyOf, limiter: new RateLimiterMemory({ points, duration: windowSeconds }) };
  });
  return async (attempt: Attempt): Promise<Verdict> => {
    const counted: (() => Promise<unknown>)[] = [];
    const takeBack = async () => {
      for (const undo of counted) await undo();
    };
    for (const { keyOf, limiter } of counters) {
      const key = keyOf(attempt);
      counted.push(() => limiter.reward(key));
      const refused = await consume(limiter, key);
      if (refused === null) continue;
      await takeBack();
      return { waitSeconds: Math.max(1, Math.ceil(refused.msBeforeNext / SECOND_MS)) };
    }
    return { takeBack };
  };
}

/** The library rejects what is over the limit, with the figures for a reason. */
async function consume(limiter: RateLimiterMemory, key: string): Promise<RateLimiterRes | null> {
  try {
    await limiter.consume(key);
    return null;
  } catch (reason) {
    if (reason instanceof RateLimiterRes) return reason;
    throw reason;
  }
}
