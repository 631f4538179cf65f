import { IncomingMessage, type RequestListener, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Request, Response } from 'express';
import type { Parts } from '../parts.ts';
import type { Connections } from './connections.ts';
import { answerFailures } from './failures.ts';
import { notesOf } from './notes.ts';
import { errorOfParser } from './unreadable.ts';

/** `rawPacket` is the chunk in which the parser stopped, `bytesParsed` the position. Node does not always set them. */
interface ParserError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

/** Sends to the app, in order, what Node would reject without a response body: broken or slow requests, and CONNECT. */
export function answerParserErrors(
  server: Server,
  listener: RequestListener,
  connections: Pick<Connections, 'finish' | 'leave'>,
  parts: Pick<Parts, 'logger' | 'publicUrl'>,
): void {
  const fail = answerFailures(parts);
  /** The latest response of each connection. Node sends responses in order, so when this one is done, all are. */
  const latest = new WeakMap<object, ServerResponse>();
  const refused = new WeakSet<object>();
  const remember = (req: IncomingMessage, res: ServerResponse) => void latest.set(req.socket, res);
  server.on('request', remember).on('checkExpectation', remember);
  /** Responds to a request that Node gave up on, and closes its connection. */
  const answerAlone = (req: IncomingMessage, socket: Socket): void => {
    if (!socket.writable) return void socket.destroy();
    const res = new ServerResponse(req);
    res.shouldKeepAlive = false;
    res.assignSocket(socket);
    res.once('finish', () => {
      res.detachSocket(socket);
      connections.leave(socket);
    });
    listener(req, res);
  };

  server.on('connect', (req, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    connections.finish(socket);
    afterwards(latest.get(socket), () => answerAlone(req, socket));
  });

  server.on('clientError', (error: ParserError, socket: Socket) => {
    const refusal = errorOfParser(error.code);
    if (refusal === undefined) return void socket.destroy();
    // the parser fails again on each later chunk
    if (refused.has(socket)) return;
    refused.add(socket);
    connections.finish(socket);
    const before = latest.get(socket);
    if (before === undefined || before.req.complete)
      return afterwards(before, () => answerAlone(requestOf(error, refusal, socket), socket));
    // the error is inside a body, and its request may already have a response
    before.shouldKeepAlive = false;
    fail(refusal, before.req as Request, before as Response, () => {});
    afterwards(before, () => connections.leave(socket));
  });
}

function afterwards(before: ServerResponse | undefined, then: () => void): void {
  if (before === undefined || before.closed) then();
  else before.once('close', then);
}

/** A substitute for an unparseable request: with its target if only the method is unknown, otherwise a refusal. */
function requestOf({ code, rawPacket, bytesParsed = 0 }: ParserError, refusal: Error, socket: Socket): IncomingMessage {
  const req = new IncomingMessage(socket);
  const sent = rawPacket?.toString('latin1') ?? '';
  const line = sent.slice(sent.lastIndexOf('\n', bytesParsed) + 1);
  const [, target] = (code === 'HPE_INVALID_METHOD' && REQUEST_LINE.exec(line)) || [];
  // HTTP/1.0 needs no Host and has no keep-alive
  const version = { httpVersion: '1.0', httpVersionMajor: 1, httpVersionMinor: 0 };
  Object.assign(req, { ...version, method: 'UNKNOWN', url: target ?? '*', complete: true });
  if (target === undefined) notesOf(req).refusal = refusal;
  req.push(null);
  return req;
}

const REQUEST_LINE = /^[\w!#$%&'*+.^`|~-]+ ([!-~]+) HTTP\/1\.[01]\r?\n/;
