import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { FAILURES, OPERATIONS, type OperationId } from '../../generated/server.ts';
import { own } from '../domain/own.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Parts } from '../parts.ts';
import { mayPassLater, StaleVersion } from '../store/transaction.ts';
import { challengeOf } from './authenticate.ts';
import { ResponseViolation } from './contract-guard.ts';
import { broughtToken } from './credentials.ts';
import { DEPRECATION_HEADERS } from './deprecation.ts';
import { errorUrl } from './error-url.ts';
import { bodyMismatch, bodyTooLarge } from './faults.ts';
import { notesOf } from './notes.ts';
import { LIMIT_HEADERS } from './rate-limit.ts';

export const UNAVAILABLE_RETRY_SECONDS = 5;
/** Headers that are set after authentication. A 401 must not include them. */
const SAID_BEHIND_TOKEN = [...LIMIT_HEADERS, ...DEPRECATION_HEADERS];

/** The last handler. Responds to every error with a failure body and the status that the contract declares. */
export function answerFailures({ logger, publicUrl }: Pick<Parts, 'logger' | 'publicUrl'>): ErrorRequestHandler {
  const answer = (req: Request, res: Response, status: number, { code, description, detail, extra }: Refusal): void => {
    notesOf(req).failure = code;
    res.status(status).json({
      error: code,
      error_description: description,
      error_detail: Object.entries(detail).map(([parameter, problem]) => ({ [parameter]: problem })),
      documentation_url: errorUrl(publicUrl, code),
      ...extra,
    });
  };
  return (thrown, req, res, next) => {
    // parser-errors.ts has already responded to a request with an incomplete body
    if (res.writableEnded) return;
    if (res.headersSent) return next(thrown);
    const operation = notesOf(req).call?.operation;
    const refusal = refusalOf(thrown, operation, logger);
    const status = statusOf(refusal.code, operation);
    if (status === undefined) {
      logger.error({ code: refusal.code, operation }, 'the contract does not declare this error code');
      return answer(req, res, 500, internalError());
    }
    if (status === 401 && operation) {
      // a token deleted during the request gets the same response as an unknown token
      for (const name of SAID_BEHIND_TOKEN) res.removeHeader(name);
      res.set(challengeOf(operation, refusal.code, broughtToken(req)));
    }
    if (status === 503) res.set('Retry-After', String(UNAVAILABLE_RETRY_SECONDS));
    // the only failure without a body: clients recognize an expired token by the headers
    if (refusal.code === 'token_expired') {
      notesOf(req).failure = refusal.code;
      return res.status(status).end();
    }
    answer(req, res, status, refusal);
  };
}

export const notFound: RequestHandler = () => {
  throw new Refusal('not_found', 'This path does not exist.');
};

const METHODS = new Intl.ListFormat('en-GB', { type: 'conjunction' });

/** Refuses a method that the path does not have (RFC 9110, section 15.5.6). */
export function methodNotAllowed(allowed: readonly string[]): RequestHandler {
  const list = allowed.join(', ');
  const sentence = `This path supports only ${METHODS.format(allowed)}.`;
  return function refuseMethod(_req, res) {
    res.setHeader('Allow', list);
    throw new Refusal('method_not_allowed', sentence);
  };
}

/** Converts an error to a Refusal. Logs unexpected errors. */
export function refusalOf(thrown: unknown, operation: OperationId | undefined, logger: Logger): Refusal {
  if (thrown instanceof Refusal) return thrown;
  if (thrown instanceof ResponseViolation) {
    logger.error({ operation, problem: thrown.message }, 'a response violates the contract');
    return internalError();
  }
  if (isRequestError(thrown)) return refusalOfRequestError(thrown, operation);
  // clients changed the same rows too often
  const level = thrown instanceof StaleVersion ? 'info' : 'error';
  logger[level]({ err: thrown, operation }, 'a request failed');
  return mayPassLater(thrown)
    ? new Refusal('temporarily_unavailable', 'The server cannot respond at the moment. Try again shortly.')
    : internalError();
}

/** The body parser and the router set a status below 500 for client errors. */
function isRequestError(thrown: unknown): thrown is RequestError {
  const status = thrown instanceof Error && 'status' in thrown ? thrown.status : undefined;
  return typeof status === 'number' && status >= 400 && status < 500;
}

/** A code that any operation declares is only for those that do. Others, such as request_timeout, are for all. */
function statusOf(code: string, operation: OperationId | undefined): number | undefined {
  if (operation === undefined) return own(FAILURES, code);
  const declared: Readonly<Record<string, number>> = OPERATIONS[operation].failures;
  return own(declared, code) ?? (OF_OPERATIONS.has(code) ? undefined : own(FAILURES, code));
}

const OF_OPERATIONS = new Set(Object.values(OPERATIONS).flatMap(({ failures }) => Object.keys(failures)));

function internalError(): Refusal {
  return new Refusal('internal_error', 'Something failed on our side. Include the request ID when you report it.');
}

/** An error of the body parser or the router. */
interface RequestError extends Error {
  /** Below 500: a client error. */
  readonly status: number;
  /** Set by the body parser: 'entity.too.large', 'encoding.unsupported', … */
  readonly type?: string;
}

/** The refusal of an unreadable request. @param operation undefined for a path outside the contract */
function refusalOfRequestError({ status, type }: RequestError, operation: OperationId | undefined): Refusal {
  if (status === 413) return bodyTooLarge();
  if (operation !== undefined) return bodyMismatch(operation);
  if (type === 'encoding.unsupported') {
    return new Refusal('unsupported_media_type', 'The Content-Encoding is not supported. Send the body uncompressed.');
  }
  const isJson = type === 'entity.parse.failed';
  return new Refusal('bad_parameter', isJson ? 'The body is not valid JSON.' : 'The request cannot be read.');
}
