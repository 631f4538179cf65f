import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { Refusal } from '../domain/refusal.ts';
import type { Parts } from '../parts.ts';
import { callerOf, callOf } from './call.ts';
import type { ClientCaller } from './caller.ts';
import { credentialsHashOf } from './credentials.ts';
import { isProbe } from './health.ts';
import { latest } from './latest.ts';
import { networkOf } from './network.ts';
import { notesOf } from './notes.ts';
import { pathOf } from './request-target.ts';
import { newTurns } from './turns.ts';

/** A call takes milliseconds, so the line is shorter after this time. */
const RETRY_SECONDS = 1;
/** The most credentials whose line is remembered. Other credentials start in the line of their network. */
const MOST_KNOWN_CREDENTIALS = 10_000;

/**
 * Ends a request's turn, if it has one, so that the next request starts.
 * @param lastMs how long the request has blocked the process since it last paused, if known
 */
export function endTurn(req: Request, lastMs?: number): void {
  notesOf(req).place?.turn.end(lastMs);
}

/** The server's own work, apart from calls. */
interface Steps {
  /** How many milliseconds of process time it has used so far. */
  readonly spentMs: () => number;
}

export interface CallsInTurn {
  readonly takeTurn: RequestHandler;
  readonly joinOwnLine: RequestHandler;
  readonly outOfLine: (readBody: RequestHandler) => RequestHandler;
}

/**
 * Limits how many calls of one application run concurrently, so that it cannot delay others. Further calls wait in
 * order of arrival, and calls beyond those are refused.
 *
 * `takeTurn` runs before authentication, which is half the work of a short call. If the same credentials were
 * authenticated earlier, the call waits in their line. Other requests wait in the line of their network, and together
 * get the turns of one application. A request that is not an API call, such as one for a page, counts until its
 * response begins.
 *
 * `joinOwnLine` runs after the rate limit, so that its refusal includes the rate limit headers.
 *
 * `outOfLine` lets a call leave the line while its body arrives. Otherwise, one passenger's slow uploads would block
 * all others of the application.
 *
 * A call counts until its handler ends, even if the client disconnects: its work still runs.
 */
export function limitCallsAtOnce(
  { callsAtOnce, steps }: Pick<Parts, 'callsAtOnce'> & { readonly steps: Steps },
  mostKnown = MOST_KNOWN_CREDENTIALS,
): CallsInTurn {
  const turns = newTurns(callsAtOnce, steps.spentMs);
  // refusals are work too; the connection limit bounds how many wait
  const refusals = newTurns({ running: callsAtOnce.running, waiting: Number.POSITIVE_INFINITY }, steps.spentMs);
  const lines = latest<LineInGroup>(mostKnown);

  /** Takes a place. @returns a promise to wait for; null if the request can start immediately */
  const enter = (req: Request, { line, group, kind }: LineInGroup): Promise<void> | null => {
    const turn = turns.take(line, group, kind);
    const place = { turn: turn ?? refusals.take(line, group, kind)!, line: turn && line };
    notesOf(req).place = place;
    return place.turn.wait;
  };
  /** Whether the client still expects the response. It may have disconnected or aborted the request. */
  const isAwaited = (req: Request, res: Response): boolean => {
    const is = !req.socket.destroyed && !res.headersSent;
    if (!is) endTurn(req);
    return is;
  };

  const takeTurn: RequestHandler = (req, res, next) => {
    const credentials = credentialsHashOf(req);
    const known = credentials === undefined ? undefined : lines.get(credentials);
    const goOn = () => {
      next();
      if (callOf(req) === undefined) endWithHead(req, res);
    };
    const wait = enter(req, known ?? lineOfStranger(req));
    // synchronous: a parser error later in the same packet needs to know this request's operation
    if (wait === null) return goOn();
    void wait.then(() => isAwaited(req, res) && goOn());
  };

  const joinOwnLine: RequestHandler = (req, res, next) => {
    const own = ownLineOf(req);
    const credentials = credentialsHashOf(req);
    // a visitor's header is not authenticated, and must not evict credentials that are
    if (credentials !== undefined && !isStranger(req)) lines.set(credentials, { ...own, line: own.group });
    const goOn = () => {
      refuseOutOfLine(req, res);
      next();
    };
    if (notesOf(req).place!.line === own.line) return goOn();
    endTurn(req);
    const wait = enter(req, own);
    if (wait === null) return goOn();
    return wait.then(() => {
      if (isAwaited(req, res)) goOn();
    });
  };

  const outOfLine = (readBody: RequestHandler): RequestHandler => {
    const readOutOfLine: RequestHandler = async (req, res, next) => {
      if (req.complete) return readBody(req, res, next);
      endTurn(req);
      const failure = await new Promise<unknown>((resolve) => void readBody(req, res, resolve));
      if (failure !== undefined) return next(failure);
      await enter(req, ownLineOf(req));
      if (!isAwaited(req, res)) return;
      refuseOutOfLine(req, res);
      next();
    };
    return readOutOfLine;
  };
  return { takeTurn, joinOwnLine, outOfLine };
}

/**
 * When its response begins, ends the turn of a request that is not an API call. The client may read the rest slowly.
 */
function endWithHead(req: Request, res: Response): void {
  if (res.headersSent) return void endTurn(req);
  notesOf(req).onHead = () => endTurn(req);
  res.once('close', () => endTurn(req));
}

/** Throws the Refusal of a call whose line is full. */
function refuseOutOfLine(req: Request, res: Response): void {
  if (notesOf(req).place!.line !== null) return;
  res.set('Retry-After', String(RETRY_SECONDS));
  throw new Refusal('rate_limit_exceeded', 'Too many requests at once. Try again in a second.');
}

/** Ends the turn of a call that fails before its handler. */
export const endTurnOfFailure: ErrorRequestHandler = (thrown, req, _res, next) => {
  endTurn(req);
  next(thrown);
};

/** Lines of one group share turns of the event loop. */
interface LineInGroup {
  readonly line: string;
  readonly group: string;
  /** What the group belongs to: sandbox calls and strangers cannot use up the room of live calls. */
  readonly kind: string;
}

/** Whether a request has no authenticated caller: it is not an API call, or it is a visitor's. */
function isStranger(req: Request): boolean {
  return callOf(req) === undefined || 'network' in callerOf(req);
}

function lineOfStranger(req: Request): LineInGroup {
  // a flood of other requests must not make a load balancer consider the server dead
  const kind = isProbe(pathOf(req.url)) ? 'probes' : 'strangers';
  return { kind, group: kind, line: `${kind} ${networkOf(req.ip)}` };
}

/**
 * The line of an authenticated call. Sandbox calls must not delay live calls of the same application. Clock advances
 * take seconds and must not delay any other call.
 */
function ownLineOf(req: Request): LineInGroup {
  if (isStranger(req)) return lineOfStranger(req);
  const caller = callerOf(req) as ClientCaller;
  const { kind } = caller.world;
  const group = `${kind} ${caller.application.id}`;
  return { kind, group, line: callOf(req)!.operation === 'advanceClock' ? `advance ${group}` : group };
}
