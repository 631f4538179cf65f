import type { Passenger } from '../domain/passenger.ts';
import { ACCOUNT_PATHS } from '../links.ts';
import { html } from '../pages/html.ts';
import type { Parts } from '../parts.ts';
import { passengerAccounts } from '../sign-in/accounts.ts';
import { answerWait } from '../sign-in/answer-wait.ts';
import { changePassword, passwordChangeInputs } from '../sign-in/password-change.ts';
import type { PasswordCheck } from '../sign-in/password-check.ts';
import { textIn } from '../sign-in/sent-form.ts';
import { formTo } from '../sign-in/views/form.ts';
import { goTo, type Section } from './section.ts';

/** Changes the password and ends all other sessions. */
export function passwordSection(
  parts: Pick<Parts, 'store' | 'randomBytes' | 'refusedPassengers'>,
  checkPassword: PasswordCheck<Passenger>,
): Section {
  const accounts = passengerAccounts(parts);
  const path = ACCOUNT_PATHS.password;
  return {
    path,
    title: 'Change your password',
    label: 'Password',
    show: ({ visitor, isDone }, problems = {}) => ({
      lead: html`This signs you out in all other browsers. Apps keep their access. To remove it, go to
        <a href="${ACCOUNT_PATHS.applications}">Apps</a>.`,
      ...(isDone && { done: 'Your password was changed. All other browsers are signed out.' }),
      body: formTo(path, visitor.csrfToken(), passwordChangeInputs(problems)),
    }),
    submit: async ({ passenger, form, ...browser }) => {
      const text = (name: string) => textIn(form, name);
      const change = { account: passenger, own: passenger, text, ...browser };
      const { result, problems, waitSeconds } = await changePassword(parts, accounts, checkPassword, change);
      if (result !== null) browser.visitor.audit({ event: 'password_changed', result, passenger: passenger.id });
      if (waitSeconds !== undefined) answerWait(browser.res, waitSeconds, path);
      else if (problems === undefined) goTo(browser.res, path, true);
      return problems;
    },
  };
}
