import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { SECOND_MS } from '../domain/time.ts';

/** How many attempts with one key pass in a window. */
export interface Limit<Attempt> {
  readonly attempts: number;
  readonly windowSeconds: number;
  readonly keyOf: (attempt: Attempt) => string;
}

/** The attempt may proceed, and `takeBack` uncounts it; or it must wait. */
export type Verdict = { readonly takeBack: () => Promise<void> } | { readonly waitSeconds: number };

/**
 * Counts an attempt before it is made, so that concurrent attempts cannot all pass. An attempt over one limit counts
 * for none. Windows run on the process clock, like those of the rate limits.
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

/** Null within the limit. Beyond it the library rejects with a RateLimiterRes, which this returns. */
async function consume(limiter: RateLimiterMemory, key: string): Promise<RateLimiterRes | null> {
  try {
    await limiter.consume(key);
    return null;
  } catch (reason) {
    if (reason instanceof RateLimiterRes) return reason;
    throw reason;
  }
}
