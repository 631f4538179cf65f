import type { ResultOf } from '../../audit.ts';
import { leaveDeveloper } from '../../developers/delete.ts';
import { PORTAL_PATHS } from '../../links.ts';
import { html } from '../../pages/html.ts';
import type { Parts } from '../../parts.ts';
import { answerWait } from '../../sign-in/answer-wait.ts';
import type { PasswordCheck } from '../../sign-in/password-check.ts';
import { untilClosed } from '../../sign-in/until-closed.ts';
import { labeledInput } from '../../sign-in/views/field.ts';
import { formTo } from '../../sign-in/views/form.ts';
import type { Developer } from '../../store/developers.ts';
import type { PortalPage } from '../page.ts';
import { leave } from '../sign-in.ts';
import { wrongFields } from '../wrong-fields.ts';

const WORD = 'delete';

/** Deletes an account without applications. The developer confirms with their password and a typed word. */
export function deletionPage({ store }: Pick<Parts, 'store'>, checkPassword: PasswordCheck<Developer>): PortalPage {
  const path = PORTAL_PATHS.deletion;
  return {
    path,
    show: ({ csrfToken }, problems = {}) => ({
      title: 'Delete your account',
      lead: html`You can’t undo this. We delete your email, password and sessions right away.`,
      current: 'Account',
      body: html`<p>First, <a href="${PORTAL_PATHS.overview}">delete or transfer your apps</a>. The log of a transferred app
      keeps your past changes. We store them under your developer ID, and the log calls you “A former developer”.</p>
      ${formTo(
        path,
        csrfToken(),
        html`${labeledInput({
          name: 'password',
          label: 'Password',
          type: 'password',
          autocomplete: 'current-password',
          problem: problems.password,
        })}
      ${labeledInput({
        name: 'word',
        label: `Type “${WORD}” to confirm`,
        type: 'text',
        autocomplete: 'off',
        problem: problems.word,
      })}
      <div class="buttons"><button class="danger">Delete account</button></div>`,
      )}`,
    }),
    submit: async ({ developer, visitor, cookies, form, res }) => {
      const password = form.text('password');
      const problems = {
        ...(password === '' && { password: 'Enter your password.' }),
        ...(form.text('word').trim().toLowerCase() !== WORD && { word: `Type “${WORD}” to confirm.` }),
      };
      if (Object.keys(problems).length > 0) throw wrongFields(problems);
      const tell = (result: ResultOf<'developer_deleted'>) =>
        visitor.audit({ event: 'developer_deleted', result, developer: developer.id });
      const checked = await checkPassword({ email: developer.email, password, visitor, signal: untilClosed(res) });
      if ('waitSeconds' in checked) {
        tell('slowed_down');
        return void answerWait(res, checked.waitSeconds, path);
      }
      const own = checked.account?.id === developer.id ? checked.account : null;
      const outcome = own && (await store.transaction((tx) => leaveDeveloper(tx, own, own.passwordHash))).outcome;
      if (outcome === null || outcome === 'stale' || outcome === 'gone') {
        tell('failed');
        throw wrongFields({ password: 'Wrong password. Try again.' });
      }
      if (outcome === 'owner') {
        throw wrongFields({ '': 'You still have apps. Delete or transfer them first.' });
      }
      tell('succeeded');
      return void leave(res, cookies, 'deleted');
    },
  };
}
