import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { Refusal } from '../domain/refusal.ts';

/** What the app is to answer requests that HTTP itself does not allow. */
const unreadable = new WeakMap<IncomingMessage, Error>();

export function markUnreadable(req: IncomingMessage, error: Error): void {
  unreadable.set(req, error);
}

/** Refuses what is no HTTP before anything else is looked at, and takes nothing more from its connection. */
export const refuseUnreadable: RequestHandler = (req, res, next) => {
  const error = unreadable.get(req);
  if (error === undefined) return next();
  res.set('Connection', 'close');
  throw error;
};

/** A head that node's parser lets through although it should not (RFC 9112, sections 2.3, 3.2 and 6.1); undefined: none. */
export function refusalOfHead({ rawHeaders, headers, httpVersion }: IncomingMessage, maxHeaders: number) {
  if (rawHeaders.length / 2 > maxHeaders) return headersTooLarge();
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return badRequest('This server speaks HTTP/1.1.');
  // two of them were joined by a comma and a blank
  const isHostWrong = headers.host === undefined ? httpVersion === '1.1' : /[\s/?#@\\]/.test(headers.host);
  if (isHostWrong) return badRequest('A request has one Host header, a name and perhaps a port.');
  if (httpVersion === '1.0' && headers['transfer-encoding'] !== undefined) {
    return badRequest('Transfer-Encoding needs HTTP/1.1.');
  }
  return undefined;
}

/**
 * What node's parser has against a request, by the code of its error; undefined: the connection failed, not the request.
 * @returns for a body an error that becomes what its operation calls a malformed request
 */
export function errorOfParser(code: string | undefined): Error | undefined {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new Refusal('request_timeout', 'The request took too long to arrive.');
  if (code === 'HPE_HEADER_OVERFLOW') return headersTooLarge();
  return code?.startsWith('HPE_') ? Object.assign(new Error(code), { status: 400 }) : undefined;
}

function headersTooLarge(): Refusal {
  return new Refusal('headers_too_large', 'The request line and the headers are too large, or the headers too many.');
}

function badRequest(description: string): Refusal {
  return new Refusal('bad_parameter', description);
}
