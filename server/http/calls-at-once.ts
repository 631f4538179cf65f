import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { Refusal } from '../domain/refusal.ts';
import { hashOf } from '../oauth/secrets.ts';
import type { Parts } from '../parts.ts';
import { callerOf, endTurn, lineOfCall, setTurn } from './call.ts';
import type { AnyCaller } from './caller.ts';
import { networkOf } from './network.ts';
import { newTurns } from './turns.ts';

/** A call takes milliseconds, so the line is shorter by then. */
const RETRY_SECONDS = 1;
/** Credentials whose line is known before they are checked. Others begin in the line of their network. */
const MOST_KNOWN_CREDENTIALS = 10_000;

/**
 * Bounds the calls of an application that are worked on at once, so that it cannot keep others waiting. More calls wait
 * in the order in which they came, and any further call is refused.
 *
 * `takeTurn` comes before authentication, which is half the work of a short call. It goes by what the same credentials
 * proved before. `joinOwnLine` comes after the rate limit, so that its refusal says where the caller stands.
 *
 * `outOfLine` lets a call leave the line while its body arrives: slow bodies of one passenger would hold up all others of
 * the application.
 *
 * A call counts until its handler has ended, even if its client hangs up before: its work still goes on.
 */
export function limitCallsAtOnce({ callsAtOnce }: Pick<Parts, 'callsAtOnce'>): {
  readonly takeTurn: RequestHandler;
  readonly joinOwnLine: RequestHandler;
  readonly outOfLine: (readBody: RequestHandler) => RequestHandler;
} {
  const turns = newTurns(callsAtOnce);
  // a refusal is work too; connections bound how many wait for theirs
  const refusals = newTurns({ running: callsAtOnce.running, waiting: Number.POSITIVE_INFINITY });
  const lines = new LRUCache<string, string>({ max: MOST_KNOWN_CREDENTIALS });

  /** Resolves to false if the client hung up while the call waited. */
  const join = async (req: Request, line: string): Promise<boolean> => {
    const turn = turns.take(line);
    const place = turn ?? refusals.take(line)!;
    setTurn(req, place, turn === null ? null : line);
    if (place.wait === null) return true;
    await place.wait;
    if (!req.socket.destroyed) return true;
    endTurn(req);
    return false;
  };

  const takeTurn: RequestHandler = async (req, _res, next) => {
    const credentials = req.get('authorization');
    const line = credentials === undefined ? undefined : lines.get(hashOf(credentials));
    if (await join(req, line ?? lineOfNetwork(networkOf(req.ip ?? '')))) next();
  };

  const joinOwnLine: RequestHandler = async (req, res, next) => {
    const line = lineOf(callerOf(req));
    const credentials = req.get('authorization');
    if (lineOfCall(req) !== line) {
      if (credentials !== undefined) lines.set(hashOf(credentials), line);
      endTurn(req);
      if (!(await join(req, line))) return;
    }
    refuseOutOfLine(req, res);
    next();
  };

  const outOfLine = (readBody: RequestHandler): RequestHandler => {
    const readOutOfLine: RequestHandler = async (req, res, next) => {
      if (req.complete) return readBody(req, res, next);
      const line = lineOfCall(req)!;
      endTurn(req);
      const failure = await new Promise<unknown>((resolve) => void readBody(req, res, resolve));
      if (failure !== undefined) return next(failure);
      if (!(await join(req, line))) return;
      refuseOutOfLine(req, res);
      next();
    };
    return readOutOfLine;
  };
  return { takeTurn, joinOwnLine, outOfLine };
}

/** Throws the Refusal of a call that found no place in its line. */
function refuseOutOfLine(req: Request, res: Response): void {
  if (lineOfCall(req) !== null) return;
  res.set('Retry-After', String(RETRY_SECONDS));
  throw new Refusal('rate_limit_exceeded', 'Too many calls at once; try again in a second.');
}

/** Ends the turn of a call that fails before its handler. */
export const endTurnOfFailure: ErrorRequestHandler = (thrown, req, _res, next) => {
  endTurn(req);
  next(thrown);
};

/** Calls in sandboxes must not hold up live calls of the same application. */
function lineOf(caller: AnyCaller): string {
  return 'network' in caller
    ? lineOfNetwork(caller.network)
    : JSON.stringify([caller.application.id, caller.world.kind]);
}

function lineOfNetwork(network: string): string {
  return JSON.stringify([network]);
}
