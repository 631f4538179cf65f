import type { RequestHandler, Response } from 'express';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { OPERATIONS, type OperationId } from '../../generated/server.ts';
import { Refusal } from '../domain/refusal.ts';
import { SECOND_MS } from '../domain/time.ts';
import { callerOf } from './call.ts';
import type { AnyCaller } from './caller.ts';

/** Where a caller stands: limit, what is left of it, and when the window ends. */
export const LIMIT_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;

/**
 * Makes the limiter of each operation; those with one bucket share one count. Windows are timed by the process clock, not by
 * `Parts.now`: the library takes no clock, and neither would a Redis behind it. A count is forgotten when its window ends.
 */
export function rateLimits(multiplier: number): (operation: OperationId) => RequestHandler {
  const limiters = new Map<string, RateLimiterMemory>();
  return (operation) => {
    const { bucket, limit, windowSeconds } = OPERATIONS[operation].rateLimit;
    const points = Math.max(1, Math.floor(limit * multiplier));
    const limiter =
      limiters.get(bucket) ?? new RateLimiterMemory({ keyPrefix: bucket, points, duration: windowSeconds });
    limiters.set(bucket, limiter);
    const limitRate: RequestHandler = async (req, res, next) => {
      const caller = callerOf(req);
      if ('world' in caller && !caller.world.settings.limits) {
        tellLimit(res, points, { remainingPoints: points, msBeforeNext: 0 });
        return next();
      }
      const key = countedAs(caller);
      // a call over the limit is a rejection with the same figures
      const state = await limiter.consume(key).catch((reason: unknown) => {
        if (reason instanceof RateLimiterRes) return reason;
        throw reason;
      });
      tellLimit(res, points, state);
      if (state.consumedPoints <= points) return next();
      const seconds = Math.max(1, Math.ceil(state.msBeforeNext / SECOND_MS));
      res.set('Retry-After', String(seconds));
      const wait = seconds === 1 ? 'a second' : `${seconds} seconds`;
      throw new Refusal('rate_limit_exceeded', `Too many calls; try again in ${wait}.`);
    };
    return limitRate;
  };
}

/** Whose calls are counted together: an application's in a world, one passenger's of it, or those from one network. */
function countedAs(caller: AnyCaller): string {
  if ('network' in caller) return JSON.stringify([caller.network]);
  const passengerId = 'passenger' in caller ? (caller.passenger?.id ?? null) : null;
  return JSON.stringify([caller.world.id, caller.application.id, passengerId]);
}

function tellLimit(
  res: Response,
  points: number,
  state: Pick<RateLimiterRes, 'remainingPoints' | 'msBeforeNext'>,
): void {
  res.set({
    'X-RateLimit-Limit': String(points),
    'X-RateLimit-Remaining': String(state.remainingPoints),
    // by the clock that the window is timed by
    'X-RateLimit-Reset': String(Math.ceil((Date.now() + state.msBeforeNext) / SECOND_MS)),
  } satisfies Record<(typeof LIMIT_HEADERS)[number], string>);
}
