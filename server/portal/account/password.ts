import { PORTAL_PATHS } from '../../links.ts';
import { html } from '../../pages/html.ts';
import type { Parts } from '../../parts.ts';
import { developerAccounts } from '../../sign-in/accounts.ts';
import { answerWait } from '../../sign-in/answer-wait.ts';
import { changePassword, passwordChangeInputs } from '../../sign-in/password-change.ts';
import type { PasswordCheck } from '../../sign-in/password-check.ts';
import { formTo } from '../../sign-in/views/form.ts';
import type { Developer } from '../../store/developers.ts';
import { goTo, type PortalPage } from '../page.ts';
import { wrongFields } from '../wrong-fields.ts';

/** Changes the password. Ends all other sessions and any pending password link. */
export function passwordPage(
  parts: Pick<Parts, 'store' | 'randomBytes' | 'refusedDevelopers'>,
  checkPassword: PasswordCheck<Developer>,
): PortalPage {
  const accounts = developerAccounts(parts);
  const path = PORTAL_PATHS.password;
  return {
    path,
    show: ({ csrfToken, done }, problems = {}) => ({
      title: 'Change your password',
      lead: html`This signs you out in all other browsers. Your apps’ secrets don’t change.`,
      current: 'Account',
      note: done === 'changed' ? 'Your password was changed. All other browsers are signed out.' : undefined,
      body: formTo(path, csrfToken(), passwordChangeInputs(problems)),
    }),
    submit: async ({ developer, form, visitor, cookies, res }) => {
      const change = { account: developer, own: { email: developer.email }, text: form.text, visitor, cookies, res };
      const { result, problems, waitSeconds } = await changePassword(parts, accounts, checkPassword, change);
      if (result !== null) visitor.audit({ event: 'developer_password_changed', result, developer: developer.id });
      if (problems !== undefined) throw wrongFields(problems);
      return waitSeconds === undefined ? goTo(res, path, 'changed') : void answerWait(res, waitSeconds, path);
    },
  };
}
