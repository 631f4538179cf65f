import type { Request, RequestHandler, Response } from 'express';
import type { ResultOf } from '../audit.ts';
import type { Passenger } from '../domain/passenger.ts';
import type { BrowserCookies } from '../http/browser.ts';
import { ACCOUNT_PATHS } from '../links.ts';
import { answerPage } from '../pages/answer.ts';
import type { Parts } from '../parts.ts';
import { passengerAccounts } from '../sign-in/accounts.ts';
import { answerWait } from '../sign-in/answer-wait.ts';
import { ASK_AGAIN } from '../sign-in/ask-again.ts';
import { beginSession } from '../sign-in/begin-session.ts';
import type { PasswordCheck } from '../sign-in/password-check.ts';
import { textIn } from '../sign-in/sent-form.ts';
import { signedIn } from '../sign-in/signed-in.ts';
import { untilClosed } from '../sign-in/until-closed.ts';
import { deleteSession } from '../store/sessions.ts';
import { goTo } from './section.ts';
import { accountSignInPage } from './views/sign-in.ts';

type SignInParts = Pick<Parts, 'store' | 'randomBytes' | 'refusedPassengers' | 'hasDemo'>;

/** Notes for the sign-in page, by the name in its query. */
const NOTES = {
  out: 'You’re signed out.',
  everywhere: 'You’re signed out everywhere.',
  deleted: 'Your account was deleted.',
} as const;

export type Leaving = keyof typeof NOTES;

/** Redirects to the sign-in page. @param to the requested account path */
export function askToSignIn(res: Response, to: string): void {
  res.redirect(303, `${ACCOUNT_PATHS.signIn}?${new URLSearchParams({ to })}`);
}

/** Clears the browser's session cookie and redirects to the sign-in page, which shows a note. */
export function leave(res: Response, cookies: BrowserCookies, how: Leaving): void {
  cookies.endSession(res);
  res.redirect(303, `${ACCOUNT_PATHS.signIn}?left=${how}`);
}

/** @param paths account paths that a sign-in can redirect to; any other leads to the overview */
export function signInHandlers(
  parts: SignInParts,
  cookies: BrowserCookies,
  checkPassword: PasswordCheck<Passenger>,
  paths: ReadonlySet<string>,
): { readonly show: RequestHandler; readonly submit: RequestHandler; readonly signOut: RequestHandler } {
  const { hasDemo } = parts;
  const accounts = passengerAccounts(parts);
  const pathOf = (to: unknown) => (typeof to === 'string' && paths.has(to) ? to : ACCOUNT_PATHS.overview);
  return {
    show: async (req, res) => {
      const visitor = cookies.visitor(req, res);
      const to = pathOf(req.query.to);
      if ((await signedIn(parts, accounts, visitor)) !== null) return goTo(res, to);
      const note = noteOf(req);
      answerPage(res, accountSignInPage({ csrfToken: visitor.csrfToken(), to, hasDemo, note }));
    },
    submit: async (req, res) => {
      const visitor = cookies.visitor(req, res);
      const typed = textIn(req.body, 'email').trim();
      const password = textIn(req.body, 'password');
      const to = pathOf(textIn(req.body, 'to'));
      const askAgain = (problem: string) => {
        const page = accountSignInPage({ csrfToken: visitor.csrfToken(), to, hasDemo, email: typed, problem });
        answerPage(res, page, ASK_AGAIN);
      };
      if (typed === '' || password === '') return askAgain('Enter your email and password.');
      const tell = (result: ResultOf<'sign_in'>, passenger: string | null) =>
        visitor.audit({ event: 'sign_in', result, application: null, passenger });
      const checked = await checkPassword({ email: typed, password, visitor, signal: untilClosed(res) });
      if ('waitSeconds' in checked) {
        tell('slowed_down', null);
        return answerWait(res, checked.waitSeconds, to);
      }
      const isBegun =
        checked.account !== null && (await beginSession(parts, accounts, { cookies, res, visitor }, checked.account));
      tell(isBegun ? 'succeeded' : 'failed', checked.accountOf);
      if (!isBegun) return askAgain('Wrong email or password. Try again.');
      goTo(res, to);
    },
    signOut: async (req, res) => {
      const { sessionHash, audit } = cookies.visitor(req, res);
      const passenger = sessionHash === null ? null : await deleteSession(parts.store.db, accounts.tables, sessionHash);
      if (passenger !== null) audit({ event: 'sign_out', result: 'succeeded', application: null, passenger });
      leave(res, cookies, 'out');
    },
  };
}

function noteOf({ query: { left } }: Request): string | undefined {
  return typeof left === 'string' && Object.hasOwn(NOTES, left) ? NOTES[left as Leaving] : undefined;
}
