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

/** A call takes milliseconds, so the line is shorter by then. */
const RETRY_SECONDS = 1;
/** Credentials whose line is known before they are checked. Others begin in the line of their network. */
const MOST_KNOWN_CREDENTIALS = 10_000;

/**
 * Ends the turn of a request that has one, so that the next one begins.
 * @param lastMs how long the request has kept the process since it last paused, if that is known
 */
export function endTurn(req: Request, lastMs?: number): void {
  notesOf(req).place?.turn.end(lastMs);
}

/** The server's own work beside calls. */
interface Steps {
  /** How many milliseconds it has kept the process so far. */
  readonly spentMs: () => number;
}

export interface CallsInTurn {
  readonly takeTurn: RequestHandler;
  readonly joinOwnLine: RequestHandler;
  readonly outOfLine: (readBody: RequestHandler) => RequestHandler;
}

/**
 * Bounds the calls of an application that are worked on at once, so that it cannot keep others waiting. More calls wait
 * in the order in which they came, and any further call is refused.
 *
 * `takeTurn` comes before authentication, which is half the work of a short call. It goes by what the same credentials
 * proved before. All other requests wait in the lines of their networks, and share the turns of one application. A
 * request that is no call, such as one for a page, counts until its response begins.
 *
 * `joinOwnLine` comes after the rate limit, so that its refusal says where the caller stands.
 *
 * `outOfLine` lets a call leave the line while its body arrives: slow bodies of one passenger would hold up all others of
 * the application.
 *
 * A call counts until its handler has ended, even if its client hangs up before: its work still goes on.
 */
export function limitCallsAtOnce(
  { callsAtOnce, steps }: Pick<Parts, 'callsAtOnce'> & { readonly steps: Steps },
  mostKnown = MOST_KNOWN_CREDENTIALS,
): CallsInTurn {
  const turns = newTurns(callsAtOnce, steps.spentMs);
  // a refusal is work too; connections bound how many wait for theirs
  const refusals = newTurns({ running: callsAtOnce.running, waiting: Number.POSITIVE_INFINITY }, steps.spentMs);
  const lines = latest<string>(mostKnown);

  /** Takes a place. @returns what to wait for; null if the request can go on at once */
  const enter = (req: Request, { line, group }: LineInGroup): Promise<void> | null => {
    const turn = turns.take(line, group);
    const place = { turn: turn ?? refusals.take(line, group)!, line: turn && line };
    notesOf(req).place = place;
    return place.turn.wait;
  };
  /** Whether somebody still waits for the response. The client may have hung up, or broken its request off. */
  const isAwaited = (req: Request, res: Response): boolean => {
    const is = !req.socket.destroyed && !res.headersSent;
    if (!is) endTurn(req);
    return is;
  };

  const takeTurn: RequestHandler = (req, res, next) => {
    const credentials = credentialsHashOf(req);
    const line = credentials === undefined ? undefined : lines.get(credentials);
    const goOn = () => {
      next();
      if (callOf(req) === undefined) endWithHead(req, res);
    };
    const wait = enter(req, line === undefined ? lineOfStranger(req) : { line, group: line });
    // at once, so that what the same packet brings next finds a request whose operation is known
    if (wait === null) return goOn();
    void wait.then(() => isAwaited(req, res) && goOn());
  };

  const joinOwnLine: RequestHandler = (req, res, next) => {
    const own = ownLineOf(req);
    const credentials = credentialsHashOf(req);
    // a visitor's header proves nothing, and must not push out what others have proved
    if (credentials !== undefined && !isStranger(req)) lines.set(credentials, own.group);
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

/** Ends the turn of a request that is no call once its response begins. A client may take long to read the rest. */
function endWithHead(req: Request, res: Response): void {
  if (res.headersSent) return void endTurn(req);
  notesOf(req).onHead = () => endTurn(req);
  res.once('close', () => endTurn(req));
}

/** Throws the Refusal of a call that found no place in its line. */
function refuseOutOfLine(req: Request, res: Response): void {
  if (notesOf(req).place!.line !== null) return;
  res.set('Retry-After', String(RETRY_SECONDS));
  throw new Refusal('rate_limit_exceeded', 'Too many calls at once; try again in a second.');
}

/** Ends the turn of a call that fails before its handler. */
export const endTurnOfFailure: ErrorRequestHandler = (thrown, req, _res, next) => {
  endTurn(req);
  next(thrown);
};

/** Lines of a group share the turns of the event loop. */
interface LineInGroup {
  readonly line: string;
  readonly group: string;
}

/** Whether a request is of nobody that was authenticated: no call, or a visitor's. */
function isStranger(req: Request): boolean {
  return callOf(req) === undefined || 'network' in callerOf(req);
}

function lineOfStranger(req: Request): LineInGroup {
  // a flood of other requests must not make a load balancer think that the server is dead
  const group = isProbe(pathOf(req.url)) ? 'probes' : 'strangers';
  return { group, line: `${group} ${networkOf(req.ip)}` };
}

/**
 * The line of an authenticated call. Calls in sandboxes must not hold up live calls of the same application, and those
 * that advance a clock, which take seconds, no others.
 */
function ownLineOf(req: Request): LineInGroup {
  if (isStranger(req)) return lineOfStranger(req);
  const caller = callerOf(req) as ClientCaller;
  const group = `${caller.world.kind} ${caller.application.id}`;
  return { group, line: callOf(req)!.operation === 'advanceClock' ? `advance ${group}` : group };
}
