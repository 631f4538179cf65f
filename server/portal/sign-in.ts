import type { Request, RequestHandler, Response } from 'express';
import type { ResultOf } from '../audit.ts';
import type { BrowserCookies } from '../http/browser.ts';
import { PORTAL_PATHS } from '../links.ts';
import { answerPage } from '../pages/answer.ts';
import type { Parts } from '../parts.ts';
import { developerAccounts } from '../sign-in/accounts.ts';
import { answerWait } from '../sign-in/answer-wait.ts';
import { ASK_AGAIN } from '../sign-in/ask-again.ts';
import { beginSession } from '../sign-in/begin-session.ts';
import type { PasswordCheck } from '../sign-in/password-check.ts';
import { textIn } from '../sign-in/sent-form.ts';
import { signedIn } from '../sign-in/signed-in.ts';
import { untilClosed } from '../sign-in/until-closed.ts';
import type { Developer } from '../store/developers.ts';
import { deleteSession } from '../store/sessions.ts';
import type { Door } from './door.ts';
import { goTo } from './page.ts';
import { portalSignInPage } from './views/sign-in.ts';

type SignInParts = Pick<Parts, 'store' | 'randomBytes' | 'refusedDevelopers' | 'hasDemo' | 'portalSignUp'>;

/** Notes for the sign-in page, by the name in its query. */
const NOTES = {
  out: 'You’re signed out.',
  everywhere: 'You’re signed out everywhere.',
  deleted: 'Your account was deleted.',
} as const;

/** Redirects to the sign-in page. @param to the requested path */
export function askToSignIn(res: Response, to: string): void {
  res.redirect(303, `${PORTAL_PATHS.signIn}?${new URLSearchParams({ to })}`);
}

/** Clears the browser's session cookie and redirects to the sign-in page, which shows a note. */
export function leave(res: Response, cookies: BrowserCookies, how: keyof typeof NOTES): void {
  cookies.endSession(res);
  res.redirect(303, `${PORTAL_PATHS.signIn}?left=${how}`);
}

/** @param pathTo where a sign-in redirects to. See returnPaths */
export function signInDoor(
  parts: SignInParts,
  cookies: BrowserCookies,
  checkPassword: PasswordCheck<Developer>,
  pathTo: (to: unknown) => string,
): Door {
  const { hasDemo, portalSignUp: signUp } = parts;
  const accounts = developerAccounts(parts);
  return {
    path: PORTAL_PATHS.signIn,
    show: async (req, res) => {
      const visitor = cookies.visitor(req, res);
      const to = pathTo(req.query.to);
      if ((await signedIn(parts, accounts, visitor)) !== null) return goTo(res, to);
      answerPage(res, portalSignInPage({ csrfToken: visitor.csrfToken(), to, hasDemo, signUp, note: noteOf(req) }));
    },
    submit: async (req, res) => {
      const visitor = cookies.visitor(req, res);
      const email = textIn(req.body, 'email').trim();
      const password = textIn(req.body, 'password');
      const to = pathTo(textIn(req.body, 'to'));
      const askAgain = (problem: string) => {
        const page = portalSignInPage({ csrfToken: visitor.csrfToken(), to, hasDemo, signUp, email, problem });
        answerPage(res, page, ASK_AGAIN);
      };
      if (email === '' || password === '') return askAgain('Enter your email and password.');
      const tell = (result: ResultOf<'developer_sign_in'>, developer: string | null) =>
        visitor.audit({ event: 'developer_sign_in', result, developer });
      const checked = await checkPassword({ email, password, visitor, signal: untilClosed(res) });
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
  };
}

/** Ends the browser's session, if any. */
export function signOut(parts: Pick<Parts, 'store' | 'refusedDevelopers'>, cookies: BrowserCookies): RequestHandler {
  const { tables } = developerAccounts(parts);
  return async (req, res) => {
    const { sessionHash, audit } = cookies.visitor(req, res);
    const developer = sessionHash === null ? null : await deleteSession(parts.store.db, tables, sessionHash);
    if (developer !== null) audit({ event: 'developer_sign_out', result: 'succeeded', developer });
    leave(res, cookies, 'out');
  };
}

function noteOf({ query: { left } }: Request): string | undefined {
  return typeof left === 'string' && Object.hasOwn(NOTES, left) ? NOTES[left as keyof typeof NOTES] : undefined;
}
