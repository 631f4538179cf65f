import { IncomingMessage, type RequestListener, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import { SECOND_MS } from '../domain/time.ts';
import { answerFailures } from './failures.ts';
import { errorOfParser, markUnreadable } from './unreadable.ts';

/** How long a client may take to read its last answer before the connection is cut. */
const LINGER_MS = 2 * SECOND_MS;

/** As far as node has one, the piece of the connection in which the parser stopped, and where. */
interface ParserError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

/**
 * Hands on what node would answer by itself, with an empty body: requests that cannot be parsed, that come too slowly, and CONNECT.
 * Each is answered after what was sent before it.
 */
export function answerParserErrors(server: Server, listener: RequestListener, logger: Logger): void {
  const fail = answerFailures(logger);
  /** Node answers in the order of the requests, so when the latest of a connection is through, all are. */
  const latest = new WeakMap<object, ServerResponse>();
  const refused = new WeakSet<object>();
  const remember = (req: IncomingMessage, res: ServerResponse) => void latest.set(req.socket, res);
  server.on('request', remember).on('checkExpectation', remember);

  server.on('connect', (req, socket: Socket) => {
    socket.on('error', () => socket.destroy()).resume();
    afterwards(latest.get(socket), () => answerAlone(listener, socket, req));
  });

  server.on('clientError', (error: ParserError, socket: Socket) => {
    const refusal = errorOfParser(error.code);
    if (refusal === undefined) return void socket.destroy();
    // the parser trips again over each piece of what follows
    if (refused.has(socket)) return;
    refused.add(socket);
    const before = latest.get(socket);
    if (before === undefined || before.req.complete) {
      return afterwards(before, () => answerAlone(listener, socket, requestOf(error, refusal, socket)));
    }
    // it broke off in a body, whose request may have its answer already
    before.shouldKeepAlive = false;
    fail(refusal, before.req as Request, before as Response, () => {});
    afterwards(before, () => leave(socket));
  });
}

function afterwards(before: ServerResponse | undefined, then: () => void): void {
  if (before === undefined || before.closed) then();
  else before.once('close', then);
}

/** What stands for a request that cannot be parsed: with its target where nothing but the method is unknown, or with its refusal. */
function requestOf({ code, rawPacket, bytesParsed = 0 }: ParserError, refusal: Error, socket: Socket): IncomingMessage {
  const req = new IncomingMessage(socket);
  const sent = rawPacket?.toString('latin1') ?? '';
  const line = sent.slice(sent.lastIndexOf('\n', bytesParsed) + 1);
  const [, target] = (code === 'HPE_INVALID_METHOD' && REQUEST_LINE.exec(line)) || [];
  // HTTP/1.0 wants no Host and keeps no connection
  const version = { httpVersion: '1.0', httpVersionMajor: 1, httpVersionMinor: 0 };
  Object.assign(req, { ...version, method: 'UNKNOWN', url: target ?? '*', complete: true });
  if (target === undefined) markUnreadable(req, refusal);
  req.push(null);
  return req;
}

const REQUEST_LINE = /^[\w!#$%&'*+.^`|~-]+ ([!-~]+) HTTP\/1\.[01]\r?\n/;

/** Answers a request that node gave up, and ends its connection. */
function answerAlone(listener: RequestListener, socket: Socket, req: IncomingMessage): void {
  if (!socket.writable) return void socket.destroy();
  const res = new ServerResponse(req);
  res.shouldKeepAlive = false;
  res.assignSocket(socket);
  res.once('finish', () => {
    res.detachSocket(socket);
    leave(socket);
  });
  listener(req, res);
}

/** Cutting at once, with more of the client's on its way, could take the answer from it. */
function leave(socket: Socket): void {
  socket.end();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
