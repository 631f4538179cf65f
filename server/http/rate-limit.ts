import type { RequestHandler, Response } from 'express';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { OPERATIONS, type OperationId } from '../../generated/server.ts';
import { Refusal } from '../domain/refusal.ts';
import { SECOND_MS } from '../domain/time.ts';
import { callerOf } from './call.ts';
import type { AnyCaller } from './caller.ts';

export const LIMIT_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;

/**
 * Makes the limiter of each operation. Operations with the same bucket share a count. Windows run on the process clock,
 * not on `Parts.now`: the library takes no clock, and neither would a Redis behind it.
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
      // the library rejects a call over the limit, with the same figures
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

/** The key of a count: world, application and passenger (null for a client token), or the network of a browser. */
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
    // the clock of the window
    'X-RateLimit-Reset': String(Math.ceil((Date.now() + state.msBeforeNext) / SECOND_MS)),
  } satisfies Record<(typeof LIMIT_HEADERS)[number], string>);
}
