import type { ErrorRequestHandler, Request, Response } from 'express';
import { FAILURES, OPERATIONS } from '../../generated/server.ts';
import { own } from '../domain/own.ts';
import { Refusal } from '../domain/refusal.ts';
import { callOf, noteFailure } from '../http/call.ts';
import { refusalOf, UNAVAILABLE_RETRY_SECONDS } from '../http/failures.ts';
import { ACCOUNT_PATHS, CONSENT_PATHS } from '../links.ts';
import { answerPage } from '../pages/answer.ts';
import type { Parts } from '../parts.ts';
import { refusedPage } from '../sign-in/views/refused.ts';
import { RedirectedRefusal, readQuery, returnAddressOf } from './authorization-request.ts';

const OPERATION = 'authorizeApplication';
const STATUSES: Readonly<Record<string, number>> = { ...FAILURES, ...OPERATIONS[OPERATION].failures };
const PATHS: ReadonlySet<string> = new Set(Object.values(CONSENT_PATHS));
const ACCOUNT: ReadonlySet<string> = new Set(Object.values(ACCOUNT_PATHS));
/** Hints for a person who followed an app's broken link. */
const HINTS_OF_LINK = [
  'Go back to the app that sent you here and try again.',
  'If it still doesn’t work, contact the app’s support. Only they can fix the link.',
];

/**
 * Handles errors on the consent and account pages. Redirects the application's errors back to it. Shows all others as
 * pages. Clients that prefer JSON get the error body from the next handler.
 */
export function answerConsentFailures(
  parts: Pick<Parts, 'store' | 'refusedApplications' | 'logger'>,
): ErrorRequestHandler {
  return async (thrown, req, res, next) => {
    const isAccount = ACCOUNT.has(req.path);
    const isConsent = callOf(req)?.operation === OPERATION || PATHS.has(req.path);
    if (!(isConsent || isAccount) || isMisdirected(thrown) || res.headersSent || res.writableEnded) return next(thrown);
    const told = isAccount ? thrown : await redirected(parts, thrown, req).catch((other: unknown) => other);
    if (told instanceof RedirectedRefusal) return void res.status(302).set('Location', told.location).end();
    res.vary('Accept');
    if (callOf(req) && req.accepts(['html', 'json']) === 'json') return next(told);
    answerRefusal(req, res, refusalOf(told, OPERATION, parts.logger));
  };
}

/** No page for another host name: its styles and forms wouldn't work. */
function isMisdirected(thrown: unknown): boolean {
  return thrown instanceof Refusal && thrown.code === 'misdirected_request';
}

/** The thrown error, or a RedirectedRefusal if the application's request violates the contract. */
async function redirected(
  parts: Pick<Parts, 'store' | 'refusedApplications'>,
  thrown: unknown,
  req: Request,
): Promise<unknown> {
  if (!(thrown instanceof Refusal) || thrown.code !== 'invalid_request') return thrown;
  // an error that the request asks for by name is shown, not redirected
  if ((callOf(req)?.scenario ?? null) !== null) return thrown;
  const form = readQuery(req.url);
  // throws if the application or the redirect URI is wrong
  const address = await returnAddressOf(parts, form);
  const isOtherType = 'response_type' in thrown.detail && form.values.response_type !== undefined;
  const isReadable = !form.faults.some(({ name }) => name === 'response_type');
  const code = isOtherType && isReadable ? 'unsupported_response_type' : 'invalid_request';
  return new RedirectedRefusal(address, code, thrown.description);
}

function answerRefusal(req: Request, res: Response, { code, description }: Refusal): void {
  noteFailure(req, code);
  const status = own(STATUSES, code) ?? 500;
  if (status === 503) res.set('Retry-After', String(UNAVAILABLE_RETRY_SECONDS));
  const page = refusedPage({
    title: titleOf(code, status),
    ...(code === 'invalid_request'
      ? {
          sentence: 'The app that sent you here made a mistake in its link.',
          hints: HINTS_OF_LINK,
          detail: description,
        }
      : { sentence: status === 405 ? 'Go back and use the form on the previous page.' : description }),
    requestId: res.get('X-Request-Id'),
  });
  answerPage(res, page, status);
}

function titleOf(code: string, status: number): string {
  if (status === 429) return 'Too many attempts';
  if (status === 503) return 'Temporarily unavailable';
  if (status === 500) return 'Something went wrong';
  if (status === 405) return 'You can’t open this page directly';
  return code === 'invalid_request' ? 'This link doesn’t work' : 'We couldn’t read this form';
}
