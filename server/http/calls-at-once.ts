import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { Refusal } from '../domain/refusal.ts';
import { holdings } from '../limits/holdings.ts';
import { latest } from '../limits/latest.ts';
import type { Parts } from '../parts.ts';
import { arrivingBodies, type BodyLimit } from './arriving.ts';
import type { ClientCaller } from './caller.ts';
import { credentialsHashOf } from './credentials.ts';
import { isProbe } from './health.ts';
import { networksOf } from './network.ts';
import { callerOf, notesOf } from './notes.ts';
import { countedAs } from './rate-limit.ts';
import { pathOf } from './request-target.ts';
import { newTurns } from './turns.ts';

/** A call takes milliseconds, so the flow is shorter after this time. */
const RETRY_SECONDS = 1;
/** Credentials whose flow is remembered. @beyond others start in the flow of their network */
const MOST_KNOWN_CREDENTIALS = 10_000;
/**
 * Bytes of a response that its client has not read when the response ends, if none waits before it on its connection.
 * @beyond the response counts against `MOST_TOTAL_UNREAD_BYTES`, as do all that wait behind another one
 * @heldBy tests/http/calls-at-once.test.ts
 */
const MOST_UNREAD_BYTES = 16 * 1024;
/**
 * Bytes of long responses that their clients have not read, of all clients together.
 * @beyond of the application with the most, and there of the passenger with the most, or of the network with the most if all
 *   networks together have more, the first response loses its connection
 */
const MOST_TOTAL_UNREAD_BYTES = 32 * 1024 * 1024;

/**
 * Ends a request's turn, if it has one, so that the next request starts.
 * @param lastMs how long the request has blocked the process since it last paused, if known
 */
export function endTurn(req: Request, lastMs?: number): void {
  notesOf(req).place?.turn.end(lastMs);
}

/**
 * Counts what the server keeps for a response in pieces as unread, until it is sent: see `MOST_TOTAL_UNREAD_BYTES`.
 * Call it before the first piece.
 */
export function holdPieces(res: Response, bytes: number): void {
  notesOf(res.req).onUnread?.(res.req, res, bytes);
}

export type CallsInTurn = ReturnType<typeof limitCallsAtOnce>;

/**
 * Limits how many calls of one application run concurrently, so that it cannot delay others. Further calls wait in
 * order of arrival, and calls beyond those are refused.
 *
 * `takeTurn` runs before authentication, which is half the work of a short call. If the same credentials were
 * authenticated earlier, the call waits in their flow. Other requests wait in the flow of their network, and together
 * get the turns of one application. A request that is not an API call, such as one for a page, counts until its
 * response begins.
 *
 * `joinOwnFlow` runs after the rate limit, so that its refusal includes the rate limit headers.
 *
 * `readBody` lets a call leave its flow while its body arrives. Otherwise, one passenger's slow uploads would block
 * all others of the application. Sets `req.body` to the bytes.
 *
 * A client may read a long response slowly, so its call does not count meanwhile. Its bytes do: see
 * `MOST_TOTAL_UNREAD_BYTES`.
 *
 * A call counts until its handler ends, even if the client disconnects: its work still runs.
 */
export function limitCallsAtOnce(
  { callsAtOnce, steps }: Pick<Parts, 'callsAtOnce'> & { readonly steps: { readonly spentMs: () => number } },
  mostKnown = MOST_KNOWN_CREDENTIALS,
  mostLeftUnread = MOST_TOTAL_UNREAD_BYTES,
) {
  const turns = newTurns(callsAtOnce, steps.spentMs);
  // refusals are work too; the connection limit bounds how many wait
  const refusals = newTurns({ running: callsAtOnce.running, waiting: Number.POSITIVE_INFINITY }, steps.spentMs);
  const flows = latest<FlowInGroup>(mostKnown);
  const readAsItArrives = arrivingBodies();
  const hold = holdings(mostLeftUnread);

  /** Takes a place. Goes on when the request can start, if its client still expects the response. */
  const enter = (req: Request, res: Response, { flow, group, kind }: FlowInGroup, goOn: () => void) => {
    const turn = turns.take(flow, group, kind);
    const place = { turn: turn ?? refusals.take(flow, group, kind)!, flow: turn && flow };
    notesOf(req).place = place;
    // synchronous: a parser error later in the same packet needs to know this request's operation
    if (place.turn.wait === null) return goOn();
    return place.turn.wait.then(() => {
      noteWait(req);
      if (isGone(req, res)) endTurn(req);
      else goOn();
    });
  };

  const holdUnread = (req: Request, res: Response, bytes = res.writableLength): void => {
    // Node gives the socket to a connection's responses in order. A closed one is not closed again
    if ((bytes <= MOST_UNREAD_BYTES && res.socket !== null) || res.locals.isShared || req.socket.destroyed) return;
    const own = ownFlowOf(req);
    const whose = isStranger(req) ? own : { ...own, flow: countedAs(callerOf(req)) };
    res.once(
      'close',
      hold(whose, bytes, () => req.socket.destroy()),
    );
  };

  const takeTurn: RequestHandler = (req, res, next) => {
    notesOf(req).onUnread = holdUnread;
    const credentials = credentialsHashOf(req);
    const known = credentials === undefined ? undefined : flows.get(credentials);
    return enter(req, res, known ?? flowOfStranger(req), () => {
      next();
      if (notesOf(req).call === undefined) endWithHead(req, res);
    });
  };

  const joinOwnFlow: RequestHandler = (req, res, next) => {
    const own = ownFlowOf(req);
    const credentials = credentialsHashOf(req);
    // a visitor's header is not authenticated, and must not evict credentials that are
    if (credentials !== undefined && !isStranger(req)) flows.set(credentials, { ...own, flow: own.group });
    const goOn = unlessFull(req, res, next);
    if (notesOf(req).place!.flow === own.flow) return goOn();
    endTurn(req);
    return enter(req, res, own, goOn);
  };

  const readBody = (limit: BodyLimit): RequestHandler => {
    const { most, tooLarge } = limit;
    return async function readBytes(req, res, next) {
      if (Number(req.headers['content-length'] ?? 0) > most) throw tooLarge();
      if (req.complete) {
        const body = wholeBodyOf(req);
        if (body !== undefined && body.length > most) throw tooLarge();
        req.body = body;
        return next();
      }
      endTurn(req);
      const own = ownFlowOf(req);
      const failure = await new Promise<Refusal | null>((resolve) => {
        readAsItArrives(req, own, limit, (failed, bytes) => {
          req.body = bytes;
          resolve(failed);
        });
      });
      noteWait(req);
      if (failure !== null) {
        if (failure.code === 'request_timeout') res.set('Connection', 'close');
        throw failure;
      }
      if (!isGone(req, res)) return enter(req, res, own, unlessFull(req, res, next));
    };
  };

  return { takeTurn, joinOwnFlow, readBody };
}

/** Ends the turn of a request that is no API call when its response begins: the client may read the rest slowly. */
function endWithHead(req: Request, res: Response): void {
  if (res.headersSent) return void endTurn(req);
  notesOf(req).onHead = () => endTurn(req);
  res.once('close', () => endTurn(req));
}

function noteWait(req: Request): void {
  const notes = notesOf(req);
  notes.hasWaited ||= notes.call?.caller != null;
}

/** Whether the client no longer expects the response: it has disconnected or aborted the request. */
function isGone(req: Request, res: Response): boolean {
  return req.socket.destroyed || res.headersSent;
}

/** Goes on, or throws the Refusal of a call whose flow is full. */
function unlessFull(req: Request, res: Response, next: () => void): () => void {
  return () => {
    if (notesOf(req).place!.flow !== null) return next();
    throw tooManyAtOnce(res);
  };
}

export function tooManyAtOnce(res: Response): Refusal {
  res.set('Retry-After', String(RETRY_SECONDS));
  return new Refusal('rate_limit_exceeded', 'Too many requests at once. Try again in a second.');
}

/** Ends the turn of a call that fails before its handler. */
export const endTurnOfFailure: ErrorRequestHandler = (thrown, req, _res, next) => {
  endTurn(req);
  next(thrown);
};

/** Flows of one group share turns of the event loop. */
interface FlowInGroup {
  readonly flow: string;
  readonly group: string;
  /** What the group belongs to: sandbox calls and strangers cannot use up the room of live calls. */
  readonly kind: string;
}

/** Whether a request has no authenticated caller: it is not an API call, it is refused, or it is a visitor's. */
function isStranger(req: Request): boolean {
  const caller = notesOf(req).call?.caller;
  return caller == null || 'networks' in caller;
}

function flowOfStranger(req: Request): FlowInGroup {
  // a flood of other requests must not make a load balancer consider the server dead
  const kind = isProbe(pathOf(req.url)) ? 'probes' : 'strangers';
  return { kind, group: kind, flow: `${kind} ${networksOf(req.ip).narrow}` };
}

/**
 * The flow of an authenticated call. Sandbox calls must not delay live calls of the same application. Clock advances
 * take seconds and must not delay any other call.
 */
function ownFlowOf(req: Request): FlowInGroup {
  if (isStranger(req)) return flowOfStranger(req);
  const caller = callerOf(req) as ClientCaller;
  const { kind } = caller.world;
  const group = `${kind} ${caller.application.id}`;
  return { kind, group, flow: notesOf(req).call!.operation === 'advanceClock' ? `advance ${group}` : group };
}

/** The body of a complete request. Since Node 26, `read` returns its pieces one by one. */
function wholeBodyOf(req: Request): Buffer | undefined {
  const pieces: Buffer[] = [];
  for (let piece = req.read(); piece !== null; piece = req.read()) pieces.push(piece);
  return pieces.length > 1 ? Buffer.concat(pieces) : pieces[0];
}
