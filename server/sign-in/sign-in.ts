import type { Response } from 'express';
import type { ResultOf } from '../audit.ts';
import type { BrowserCookies } from '../http/browser.ts';
import type { Visitor } from '../http/caller.ts';
import { ASK_AGAIN, answerPage, type Page } from '../pages/page.ts';
import type { Parts } from '../parts.ts';
import { deleteSession } from '../store/sessions.ts';
import type { Account, Accounts } from './accounts.ts';
import { answerWait } from './failure-page.ts';
import { type PasswordCheck, untilClosed } from './passwords.ts';
import { type SentForm, textIn } from './sent-form.ts';
import { beginSession } from './session.ts';
import type { Credentials } from './views/form.ts';

interface Attempt {
  readonly visitor: Visitor;
  readonly form: SentForm;
  readonly res: Response;
  /** The application that asks for access, if any. */
  readonly application?: string;
  readonly pageWith: (typed: Credentials) => Page;
  readonly beginning: string;
}

/**
 * Signs in with the form of `credentialInputs`. Same message for a wrong email and a wrong password.
 * @returns whether the browser is signed in; if not, the response is already sent
 */
export function signInForm<A extends Account>(
  parts: Pick<Parts, 'store' | 'randomBytes'>,
  accounts: Accounts<A>,
  cookies: BrowserCookies,
  checkPassword: PasswordCheck<A>,
): (attempt: Attempt) => Promise<boolean> {
  return async ({ visitor, form, res, application, pageWith, beginning }) => {
    const email = textIn(form, 'email').trim();
    const password = textIn(form, 'password');
    const askAgain = (problem: string) => {
      answerPage(res, pageWith({ email, problem }), ASK_AGAIN);
      return false;
    };
    if (email === '' || password === '') return askAgain('Enter your email and password.');
    const tell = (result: ResultOf<'sign_in'>, id: string | null) =>
      visitor.audit(accounts.events.signIn(result, id, application));
    const checked = await checkPassword({ email, password, visitor, signal: untilClosed(res) });
    if ('waitSeconds' in checked) {
      answerWait(res, checked.waitSeconds, beginning, () => tell('slowed_down', null));
      return false;
    }
    const isBegun =
      checked.account !== null && (await beginSession(parts, accounts, { cookies, res, visitor }, checked.account));
    tell(isBegun ? 'succeeded' : 'failed', checked.accountOf);
    return isBegun || askAgain('Wrong email or password. Try again.');
  };
}

/** Deletes the browser's session, if any. @param application the one that asks for access, if any */
export async function endSession(
  { store }: Pick<Parts, 'store'>,
  { tables, events }: Pick<Accounts, 'tables' | 'events'>,
  { sessionHash, audit }: Pick<Visitor, 'sessionHash' | 'audit'>,
  application?: string,
): Promise<void> {
  const id = sessionHash === null ? null : await deleteSession(store.db, tables, sessionHash);
  if (id !== null) audit(events.signOut(id, application));
}
