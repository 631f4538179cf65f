import type { ErrorRequestHandler, Request } from 'express';
import { OPERATIONS } from '../../generated/server.ts';
import { Refusal } from '../domain/refusal.ts';
import { browserCookies, PASSENGER_COOKIES } from '../http/browser.ts';
import { refusalOf } from '../http/failures.ts';
import { notesOf } from '../http/notes.ts';
import { ACCOUNT_PATHS, CONSENT_PATHS } from '../links.ts';
import type { Parts } from '../parts.ts';
import { passengerAccounts } from '../sign-in/accounts.ts';
import { answerFailure, canShow, type RefusedProps } from '../sign-in/failure-page.ts';
import { signedIn } from '../sign-in/session.ts';
import { locationOf, RedirectedRefusal, readQuery, returnAddressOf } from './authorization-request.ts';

const OPERATION = 'authorizeApplication';
const PATHS: ReadonlySet<string> = new Set(Object.values(CONSENT_PATHS));
const ACCOUNT: ReadonlySet<string> = new Set(Object.values(ACCOUNT_PATHS));
/** What the application did wrong, not the passenger. */
const LINK_ERRORS: ReadonlySet<string> = new Set(OPERATIONS[OPERATION].redirectErrors);

type FailureParts = Pick<Parts, 'store' | 'refusedApplications' | 'refusedPassengers' | 'logger'> &
  Pick<Parts, 'publicUrl' | 'signingKeys' | 'now'>;

/** Answers errors of the consent and account pages: as a page, as JSON, or as a redirect to the application. */
export function answerConsentFailures(parts: FailureParts): ErrorRequestHandler {
  const accounts = passengerAccounts(parts);
  const cookies = browserCookies(parts, PASSENGER_COOKIES);
  return async (thrown, req, res, next) => {
    const isAccount = ACCOUNT.has(req.path);
    const isConsent = notesOf(req).call?.operation === OPERATION || PATHS.has(req.path);
    if (!(isConsent || isAccount) || !canShow(thrown, res)) return next(thrown);
    let told = isAccount ? thrown : await redirected(parts, thrown, req).catch((other: unknown) => other);
    if (told instanceof RedirectedRefusal) {
      const { address, refusal } = told;
      // without a sign-in, a link to this server would take anyone to any application (RFC 9700, section 4.11.2)
      if ((await signedIn(parts, accounts, cookies.visitor(req, res))) !== null) {
        const why = { error: refusal.code, error_description: refusal.description };
        return void res
          .status(302)
          .set('Location', locationOf(parts, address, why))
          .end();
      }
      told = refusal;
    }
    res.vary('Accept');
    if (notesOf(req).call && req.accepts(['html', 'json']) === 'json') return next(told);
    const refusal = refusalOf(told, OPERATION, parts.logger);
    answerFailure(req, res, refusal, wordsFor(refusal));
  };
}

/** The thrown error, or a RedirectedRefusal if the application's request violates the contract. */
async function redirected(parts: FailureParts, thrown: unknown, req: Request): Promise<unknown> {
  if (!(thrown instanceof Refusal) || thrown.code !== 'invalid_request') return thrown;
  // an error that the request asks for by name is shown, not redirected
  if ((notesOf(req).call?.scenario ?? null) !== null) return thrown;
  const form = readQuery(req.url);
  // throws if the application or the redirect URI is wrong
  const address = await returnAddressOf(parts, form);
  const isOtherType = 'response_type' in thrown.detail && form.values.response_type !== undefined;
  const isReadable = !form.faults.some(({ name }) => name === 'response_type');
  const code = isOtherType && isReadable ? 'unsupported_response_type' : 'invalid_request';
  return new RedirectedRefusal(address, new Refusal(code, thrown.description, thrown.detail));
}

function wordsFor({ code, description }: Refusal): Partial<RefusedProps> {
  if (code === 'method_not_allowed') {
    return { title: 'You can’t open this page directly', sentence: 'Go back and use the form on the previous page.' };
  }
  if (!LINK_ERRORS.has(code)) return {};
  return {
    title: 'This link doesn’t work',
    sentence: 'The app that sent you here made a mistake in its link.',
    hints: [
      'Go back to the app that sent you here and try again.',
      'If it still doesn’t work, contact the app’s support. Only they can fix the link.',
    ],
    detail: description,
  };
}
