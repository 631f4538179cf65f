import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { OPERATIONS, type OperationId, type RateLimit, SANDBOX_LIMIT } from '../../generated/server.ts';
import { Refusal } from '../domain/refusal.ts';
import { SECOND_MS } from '../domain/time.ts';
import type { CountCall, Counted } from '../limits/windows.ts';
import type { Parts } from '../parts.ts';
import { type AnyCaller, type Caller, isInSandbox } from './caller.ts';
import { callerOf } from './notes.ts';

export const LIMIT_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;

/** Whether the limiter of an operation must know the body. */
export function isLimitedByGrant(operation: OperationId): boolean {
  return Object.keys(OPERATIONS[operation].grantRateLimits).length > 0;
}

/** Makes each operation's rate limiter. Operations of a bucket share a count. Windows use the clock of the counter. */
export function rateLimits(multiplier: number, countCall: CountCall): (operation: OperationId) => RequestHandler {
  return (operation) => {
    const { rateLimit, grantRateLimits } = OPERATIONS[operation];
    const ofGrants = new Map<unknown, RateLimit>(Object.entries(grantRateLimits));
    const limitOf = (req: Request) =>
      ofGrants.size === 0 ? rateLimit : (ofGrants.get(req.body?.grant_type) ?? rateLimit);
    // a multiplier below 1 lowers each operation's limit, but not this one, which all sandbox calls of an application share
    const pointsInSandbox = pointsOf(SANDBOX_LIMIT, Math.max(1, multiplier));

    /** Overwrites the headers of the shared sandbox count: a world must not show how many calls the others make. */
    const countOwn = (req: Request, caller: AnyCaller, res: Response, next: NextFunction): void | Promise<void> => {
      const limit = limitOf(req);
      const points = pointsOf(limit, multiplier);
      // a world without limits is for tests of rides: the tokens of its application still count
      if (isInSandbox(caller) && !caller.world.settings.limits && 'scopes' in caller) {
        tellLimit(res, points, { left: points, msLeft: 0 });
        return next();
      }
      return whenCounted(countCall(limit, countedAs(caller)), (counted) => {
        refuseBeyond(res, points, counted);
        next();
      });
    };
    return function limitRate(req, res, next) {
      const caller = callerOf(req);
      if (!isInSandbox(caller)) return countOwn(req, caller, res, next);
      return whenCounted(countCall(SANDBOX_LIMIT, caller.application.id), (counted) => {
        refuseBeyond(res, pointsInSandbox, counted);
        return countOwn(req, caller, res, next);
      });
    };
  };
}

type ClientIn = {
  readonly world: Pick<Caller['world'], 'id'>;
  readonly application: Pick<Caller['application'], 'id'>;
};

/** Counts what a page of the portal does as a call of an operation with a client token. Throws as the call would. */
export async function countAsCall(
  { countCall, rateLimitMultiplier }: Pick<Parts, 'countCall' | 'rateLimitMultiplier'>,
  operation: OperationId,
  caller: ClientIn,
  res: Response,
): Promise<void> {
  const { rateLimit } = OPERATIONS[operation];
  refuseBeyond(res, pointsOf(rateLimit, rateLimitMultiplier), await countCall(rateLimit, countedAs(caller)));
}

/** Synchronous when the count is known immediately: a promise costs more than the count. */
function whenCounted(
  counted: ReturnType<CountCall>,
  goOn: (counted: Counted) => void | Promise<void>,
): void | Promise<void> {
  return counted instanceof Promise ? counted.then(goOn) : goOn(counted);
}

function pointsOf({ limit }: { readonly limit: number }, multiplier: number): number {
  return Math.max(1, Math.floor(limit * multiplier));
}

/** World, application and passenger (empty for a client token), or a browser's network. Ids contain no spaces. */
export function countedAs(caller: AnyCaller | ClientIn): string {
  if ('networks' in caller) return caller.networks.narrow;
  const passengerId = 'passenger' in caller ? (caller.passenger?.id ?? '') : '';
  return `${caller.world.id} ${caller.application.id} ${passengerId}`;
}

/** Sets the rate limit headers, and throws the Refusal of a call over the limit. */
function refuseBeyond(res: Response, points: number, { calls, msLeft }: Counted): void {
  tellLimit(res, points, { left: Math.max(0, points - calls), msLeft });
  if (calls <= points) return;
  const seconds = Math.max(1, Math.ceil(msLeft / SECOND_MS));
  res.set('Retry-After', String(seconds));
  const wait = seconds === 1 ? 'a second' : `${seconds} seconds`;
  throw new Refusal('rate_limit_exceeded', `Too many requests. Try again in ${wait}.`);
}

/** @param points the calls per window */
export function tellLimit(res: Response, points: number, { left, msLeft }: { left: number; msLeft: number }): void {
  const [limit, remaining, reset] = LIMIT_HEADERS;
  res.setHeader(limit, String(points));
  res.setHeader(remaining, String(left));
  // not `Parts.now`: windows use the clock of the counter
  res.setHeader(reset, String(Math.ceil((Date.now() + msLeft) / SECOND_MS)));
}
