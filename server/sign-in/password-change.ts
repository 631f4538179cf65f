import type { Response } from 'express';
import type { ResultOf } from '../audit.ts';
import type { BrowserCookies } from '../http/browser.ts';
import type { Visitor } from '../http/caller.ts';
import { hashPassword } from '../oauth/passwords.ts';
import { type Html, html } from '../pages/html.ts';
import type { Parts } from '../parts.ts';
import { deleteSignIns } from '../store/sessions.ts';
import type { Account, Accounts } from './accounts.ts';
import { beginSession } from './begin-session.ts';
import type { PasswordCheck } from './password-check.ts';
import type { OwnWords } from './password-rules.ts';
import { untilClosed } from './until-closed.ts';
import { labeledInput } from './views/field.ts';
import { newPasswordInputs } from './views/new-password.ts';

type Problems = Readonly<Record<string, string>>;

interface Change<A extends Account> {
  readonly account: A;
  readonly own: OwnWords;
  /** The text of a form field. */
  readonly text: (name: string) => string;
  readonly visitor: Visitor;
  readonly cookies: BrowserCookies;
  readonly res: Response;
}

interface Outcome {
  /** Null if the form had errors, so no password was checked. */
  readonly result: ResultOf<'password_changed'> | null;
  readonly problems?: Problems;
  readonly waitSeconds?: number;
}

/**
 * Changes a password with the form from `passwordChangeInputs`. Ends all other sessions, because someone who knew the
 * old password may be signed in. The submitting browser stays signed in.
 */
export async function changePassword<A extends Account>(
  parts: Pick<Parts, 'store' | 'randomBytes'>,
  accounts: Accounts<A>,
  checkPassword: PasswordCheck<A>,
  { account, own, text, ...browser }: Change<A>,
): Promise<Outcome> {
  const { visitor, res } = browser;
  const [current, chosen] = [text('current_password'), text('new_password')];
  // imported on demand: the packages load slowly
  const { problemsOfNewPassword } = await import('./new-password.ts');
  const problems = {
    ...(current === '' && { current_password: 'Enter your current password.' }),
    ...problemsOfNewPassword(chosen, text('repeated_password'), own),
  };
  if (Object.keys(problems).length > 0) return { result: null, problems };
  const signal = untilClosed(res);
  const checked = await checkPassword({ email: account.email, password: current, visitor, signal });
  if ('waitSeconds' in checked) return { result: 'slowed_down', waitSeconds: checked.waitSeconds };
  if (checked.account?.id !== account.id) return NOT_RIGHT;
  const after = await hashPassword(chosen, { flow: visitor.networks.wide, signal });
  const before = checked.account.passwordHash;
  const isChanged = await parts.store.transaction(async (tx) => {
    if (!(await accounts.changePassword(tx, account, { before, after }))) return false;
    await deleteSignIns(tx, accounts.tables, account.id);
    return true;
  });
  // another browser changed it in the meantime
  if (!isChanged) return NOT_RIGHT;
  await beginSession(parts, accounts, browser, { id: account.id, passwordHash: after });
  return { result: 'succeeded' };
}

const NOT_RIGHT: Outcome = {
  result: 'failed',
  problems: { current_password: 'Wrong current password. Try again.' },
};

/** The form's inputs with their button. @param problems by input name */
export function passwordChangeInputs(problems: Problems): Html {
  return html`${labeledInput({
    name: 'current_password',
    label: 'Current password',
    type: 'password',
    autocomplete: 'current-password',
    problem: problems.current_password,
  })}
      ${newPasswordInputs(problems)}
      <div class="buttons"><button class="primary">Change password</button></div>`;
}
