import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { Refusal } from '../domain/refusal.ts';
import { notesOf } from './notes.ts';

/** Runs before all other checks: refuses a request that violates HTTP, and closes its connection. */
export const refuseUnreadable: RequestHandler = (req, res, next) => {
  const { refusal } = notesOf(req);
  if (refusal === null) return next();
  res.set('Connection', 'close');
  throw refusal;
};

/** The refusal of a head that Node's parser wrongly accepts (RFC 9112, sections 2.3, 3.2 and 6.1). */
export function refusalOfHead({ rawHeaders, headers, httpVersion }: IncomingMessage, maxHeaders: number) {
  if (rawHeaders.length / 2 > maxHeaders) return headersTooLarge();
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return badRequest('This server supports only HTTP/1.1.');
  // Node joins two Host headers with a comma and a space
  const isHostWrong = headers.host === undefined ? httpVersion === '1.1' : /[\s/?#@\\]/.test(headers.host);
  if (isHostWrong) return badRequest('A request must have one Host header, with a name and an optional port.');
  if (httpVersion === '1.0' && headers['transfer-encoding'] !== undefined) {
    return badRequest('Transfer-Encoding requires HTTP/1.1.');
  }
  return undefined;
}

/** The refusal for an error of Node's parser; undefined if the connection failed rather than the request. */
export function errorOfParser(code: string | undefined): Error | undefined {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return tooSlow();
  if (code === 'HPE_HEADER_OVERFLOW') return headersTooLarge();
  return code?.startsWith('HPE_') ? Object.assign(new Error(code), { status: 400 }) : undefined;
}

export function tooSlow(): Refusal {
  return new Refusal('request_timeout', 'The request took too long to arrive.');
}

function headersTooLarge(): Refusal {
  return new Refusal('headers_too_large', 'The request line and headers are too large, or there are too many headers.');
}

function badRequest(description: string): Refusal {
  return new Refusal('bad_parameter', description);
}
