import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { loggedError } from '../logged-error.ts';
import type { Meter, Parts } from '../parts.ts';
import { notesOf } from './notes.ts';
import { recordRequest } from './recorded-request.ts';

declare module 'node:http' {
  interface IncomingMessage {
    /** Logs with the request's id. fast-server.ts sets it on every request. */
    readonly log: Logger;
  }
}

/**
 * Length of an `X-Request-Id` from a trusted proxy. Proxies use UUIDs or ids of similar length.
 * @beyond the log has no `proxyId`
 * @heldBy tests/http/log.test.ts
 */
const MOST_PROXY_ID_CHARACTERS = 64;
const PROXY_ID = /^[\w.-]+$/;

type Logging = Pick<Parts, 'meter' | 'requestLog' | 'now'>;

/** Logs a line per request, with an ID of its own, which it returns: two requests could share a client's. */
export function requestLog(parts: Logging & Pick<Parts, 'logger' | 'tracer'>): RequestHandler {
  const logger = parts.logger.child({}, { serializers: { err: (error: unknown) => loggedError(error) } });
  return (req, res, next) => {
    const notes = notesOf(req);
    notes.id = randomUUID();
    notes.proxyId = proxyIdOf(req);
    notes.cameAt = Date.now();
    notes.logger = logger;
    if (parts.tracer !== null) notes.endSpan = parts.tracer.beginRequest(req.headers.traceparent as string | undefined);
    res.setHeader('X-Request-Id', notes.id);
    res.setHeader('Request-ID', notes.id);
    logWhenDone(req, res, logger, parts);
    next();
  };
}

export function logOf(req: Request): Logger {
  return notesOf(req).logger!.child({ req: requestIn(req) });
}

/** Logs once, when the response finishes or the connection closes. */
function logWhenDone(req: Request, res: Response, logger: Logger, parts: Logging): void {
  let isLogged = false;
  const log = (error?: Error) => {
    if (isLogged) return;
    isLogged = true;
    const isWhole = error === undefined && !req.readableAborted && res.writableFinished;
    const ended = { isWhole, responseTime: Date.now() - notesOf(req).cameAt };
    logRequest(req, res, logger, ended, error);
    if (parts.meter !== null || notesOf(req).endSpan !== null) tellOperators(req, res, parts.meter, ended);
    recordRequest(parts, req, res, ended);
  };
  res.on('finish', log).on('close', log).on('error', log);
}

interface End {
  /** Whether the whole request arrived and the whole response was sent. */
  readonly isWhole: boolean;
  /** Milliseconds. */
  readonly responseTime: number;
}

function tellOperators(req: Request, res: Response, meter: Meter | null, { isWhole, responseTime }: End): void {
  const { call, failure: code, endSpan, id } = notesOf(req);
  const status = isWhole ? res.statusCode : 'aborted';
  const ended = { operation: call?.operation, status, code, isSimulated: call?.failsAsAsked ?? false } as const;
  meter?.request({ ...ended, ms: responseTime });
  endSpan?.({ ...ended, method: req.method, id });
}

function logRequest(req: Request, res: Response, logger: Logger, { isWhole, responseTime }: End, error?: Error): void {
  const { call, failure } = notesOf(req);
  const { statusCode: status } = res;
  const said = { req: requestIn(req), res: { status } };
  const route = routeOf(req);
  // a fault that made the server unavailable has logged a line; otherwise, clients sent too much at once
  if (error === undefined && (status < 500 || failure === 'temporarily_unavailable')) {
    return void logger.info({ ...said, responseTime, route }, isWhole ? 'request completed' : 'request aborted');
  }
  const err = error ?? new Error(`failed with status code ${status}`);
  // a requested sandbox failure must not raise an alarm
  const level = error === undefined && call?.failsAsAsked ? 'info' : 'error';
  logger[level]({ ...said, err, responseTime, route }, 'request errored');
}

/** Without the path: a ride's id is enough to open its map, and a mistyped path could contain a secret. */
function requestIn(req: Request): object {
  const { id, proxyId } = notesOf(req);
  return { id, proxyId, method: req.method };
}

/** The path pattern, as in the contract; null if no route matches. Known once the request is handled. */
function routeOf({ route }: Request): string | null {
  if (!route) return null;
  const path = String(route.path);
  return path.includes(':') ? path.replace(/:(\w+)/g, '{$1}') : path;
}

/** A trusted proxy's X-Request-Id, which links its log to ours. Other clients could send anything. */
function proxyIdOf(req: Request): string | undefined {
  const sent = req.headers['x-request-id'];
  if (typeof sent !== 'string' || sent.length > MOST_PROXY_ID_CHARACTERS || !PROXY_ID.test(sent)) return undefined;
  const isTrusted: (address: string, hops: number) => boolean = req.app.get('trust proxy fn');
  return isTrusted(req.socket.remoteAddress ?? '', 0) ? sent : undefined;
}
