import type { RequestHandler, Response } from 'express';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { OPERATIONS, type OperationId, SANDBOX_LIMIT } from '../../generated/server.ts';
import { Refusal } from '../domain/refusal.ts';
import { SECOND_MS } from '../domain/time.ts';
import { callerOf } from './call.ts';
import type { AnyCaller } from './caller.ts';

export const LIMIT_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;

/** A number of calls in a window, counted in a bucket. */
type Limit = (typeof OPERATIONS)[OperationId]['rateLimit'] | typeof SANDBOX_LIMIT;

/** Where a caller stands after a call. */
interface Standing {
  /** How many calls the window takes. */
  readonly points: number;
  readonly state: Pick<RateLimiterRes, 'remainingPoints' | 'msBeforeNext'>;
}

interface Counted extends Standing {
  readonly state: Standing['state'] & Pick<RateLimiterRes, 'consumedPoints'>;
}

/**
 * Makes the limiter of each operation. Operations with the same bucket share a count. Windows run on the process clock,
 * not on `Parts.now`: the library takes no clock, and neither would a Redis behind it.
 */
export function rateLimits(multiplier: number): (operation: OperationId) => RequestHandler {
  const count = newCounter(multiplier);
  return (operation) => {
    const { rateLimit } = OPERATIONS[operation];
    const limitRate: RequestHandler = async (req, res, next) => {
      const caller = callerOf(req);
      const isInSandbox = 'world' in caller && caller.world.kind === 'sandbox';
      if (isInSandbox) refuseBeyond(res, await count(SANDBOX_LIMIT, caller.application.id));
      const isCounted = !isInSandbox || caller.world.settings.limits;
      // replaces what the first count told: a world must not show how many calls the others get
      refuseBeyond(res, await count(rateLimit, isCounted ? countedAs(caller) : null));
      next();
    };
    return limitRate;
  };
}

/** Counts a call of a key in the bucket of a limit; of null, nothing. */
function newCounter(multiplier: number): (limit: Limit, key: string | null) => Promise<Counted> {
  const limiters = new Map<string, RateLimiterMemory>();
  return async ({ bucket, limit, windowSeconds }, key) => {
    // a multiplier below 1 is for a single bucket, and all of them count in this one
    const factor = bucket === SANDBOX_LIMIT.bucket ? Math.max(1, multiplier) : multiplier;
    const points = Math.max(1, Math.floor(limit * factor));
    if (key === null) return { points, state: { consumedPoints: 0, remainingPoints: points, msBeforeNext: 0 } };
    const limiter =
      limiters.get(bucket) ?? new RateLimiterMemory({ keyPrefix: bucket, points, duration: windowSeconds });
    limiters.set(bucket, limiter);
    // the library rejects a call over the limit, with the same figures
    const state = await limiter.consume(key).catch((reason: unknown) => {
      if (reason instanceof RateLimiterRes) return reason;
      throw reason;
    });
    return { points, state };
  };
}

/** The key of a count: world, application and passenger (null for a client token), or the network of a browser. */
function countedAs(caller: AnyCaller): string {
  if ('network' in caller) return JSON.stringify([caller.network]);
  const passengerId = 'passenger' in caller ? (caller.passenger?.id ?? null) : null;
  return JSON.stringify([caller.world.id, caller.application.id, passengerId]);
}

/** Tells where the caller stands, and throws the Refusal of a call over the limit. */
function refuseBeyond(res: Response, { points, state }: Counted): void {
  tellLimit(res, { points, state });
  if (state.consumedPoints <= points) return;
  const seconds = Math.max(1, Math.ceil(state.msBeforeNext / SECOND_MS));
  res.set('Retry-After', String(seconds));
  const wait = seconds === 1 ? 'a second' : `${seconds} seconds`;
  throw new Refusal('rate_limit_exceeded', `Too many calls; try again in ${wait}.`);
}

export function tellLimit(res: Response, { points, state }: Standing): void {
  res.set({
    'X-RateLimit-Limit': String(points),
    'X-RateLimit-Remaining': String(state.remainingPoints),
    // the clock of the window
    'X-RateLimit-Reset': String(Math.ceil((Date.now() + state.msBeforeNext) / SECOND_MS)),
  } satisfies Record<(typeof LIMIT_HEADERS)[number], string>);
}
