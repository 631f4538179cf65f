import type { ResultOf } from '../audit.ts';
import type { Passenger } from '../domain/passenger.ts';
import { ACCOUNT_PATHS } from '../links.ts';
import { html } from '../pages/html.ts';
import { answerWait } from '../sign-in/answer-wait.ts';
import type { PasswordCheck } from '../sign-in/password-check.ts';
import { textIn } from '../sign-in/sent-form.ts';
import { untilClosed } from '../sign-in/until-closed.ts';
import { labeledInput } from '../sign-in/views/field.ts';
import { formTo } from '../sign-in/views/form.ts';
import { beginDeparture } from '../store/departures.ts';
import { type DepartureParts, leaveAtOnce } from '../workers/departures.ts';
import type { Section } from './section.ts';
import { leave } from './sign-in.ts';

/** Transactions that a deletion waits for. The sweep does what is left. */
const MOST_TURNS_OF_DELETION = 50;

const WORD = 'delete';

/** Deletes the account, after the password and a typed word. */
export function deletionSection(parts: DepartureParts, checkPassword: PasswordCheck<Passenger>): Section {
  const path = ACCOUNT_PATHS.deletion;
  return {
    path,
    title: 'Delete your account',
    label: 'Delete',
    show: ({ visitor }, problems = {}) => ({
      lead: html`This cannot be undone. You may want to <a href="${ACCOUNT_PATHS.data}">download your data</a> first.`,
      body: html`<h2 id="gone">What is deleted at once</h2>
      <ul aria-labelledby="gone">
        <li>Your name, email, phone number, payment method and picture. You can sign up with the same email again, as a new passenger.</li>
        <li>All access of applications. You are signed out everywhere.</li>
      </ul>
      <h2 id="soon">What follows, at the latest within two hours</h2>
      <ul aria-labelledby="soon">
        <li>Your rides stay without your name: fare, times, distance, stars and driver. Addresses, routes, feedback and your card are deleted,
        and where a ride began and ended is rounded to about a kilometer.</li>
        <li>Messages to applications about your rides are deleted, also those that are not sent yet.</li>
        <li>Those who stand in for you in the sandboxes of applications are deleted with their rides.</li>
      </ul>
      <p>If you are on a ride, wait until it has ended. A ride that is not paid yet is charged now.</p>
      ${formTo(
        path,
        visitor.csrfToken(),
        html`${labeledInput({
          name: 'password',
          label: 'Password',
          type: 'password',
          autocomplete: 'current-password',
          problem: problems.password,
        })}
      ${labeledInput({
        name: 'word',
        label: `Type the word “${WORD}”`,
        type: 'text',
        autocomplete: 'off',
        problem: problems.word,
      })}
      <div class="buttons"><button class="danger">Delete my account</button></div>`,
      )}`,
    }),
    submit: async ({ passenger, visitor, cookies, form, res }) => {
      const password = textIn(form, 'password');
      const problems = {
        ...(password === '' && { password: 'Enter your password.' }),
        ...(textIn(form, 'word').trim().toLowerCase() !== WORD && { word: `Type the word “${WORD}” to confirm.` }),
      };
      if (Object.keys(problems).length > 0) return problems;
      const tell = (result: ResultOf<'account_deleted'>) =>
        visitor.audit({ event: 'account_deleted', result, passenger: passenger.id });
      const notRight = () => {
        tell('failed');
        return { password: 'The password is not right.' };
      };
      const checked = await checkPassword({ email: passenger.email, password, visitor, signal: untilClosed(res) });
      if ('waitSeconds' in checked) {
        tell('slowed_down');
        answerWait(res, checked.waitSeconds, path);
        return undefined;
      }
      if (checked.account?.id !== passenger.id) return notRight();
      const leaving = { id: passenger.id, passwordHash: checked.account.passwordHash };
      const outcome = await parts.store.transaction((tx) => beginDeparture(tx, leaving, visitor.realNow));
      if (outcome === 'stale') return notRight();
      if (outcome === 'riding') return { '': 'You have a ride under way. Delete your account when it has ended.' };
      tell('succeeded');
      await leaveAtOnce(parts, passenger.id, MOST_TURNS_OF_DELETION);
      leave(res, cookies, 'deleted');
      return undefined;
    },
  };
}
