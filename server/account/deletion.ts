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

/** Transactions that a deletion waits for. The sweep deletes the rest. */
const MOST_TURNS_OF_DELETION = 50;

const WORD = 'delete';

/** Deletes the account. The passenger confirms with their password and a typed word. */
export function deletionSection(parts: DepartureParts, checkPassword: PasswordCheck<Passenger>): Section {
  const path = ACCOUNT_PATHS.deletion;
  return {
    path,
    title: 'Delete your account',
    label: 'Delete',
    show: ({ visitor }, problems = {}) => ({
      lead: html`You can’t undo this. You may want to <a href="${ACCOUNT_PATHS.data}">download your data</a> first.`,
      body: html`<h2 id="gone">Deleted right away</h2>
      <ul aria-labelledby="gone">
        <li>Your name, email, phone number, payment method and picture. You can sign up again with the same email as a new passenger.</li>
        <li>Every app’s access to your account. You’re signed out everywhere.</li>
      </ul>
      <h2 id="soon">Deleted within two hours</h2>
      <ul aria-labelledby="soon">
        <li>The addresses, routes, feedback and payment method of your past rides. We keep the rest without your name: each ride’s
        fare, times, distance, star rating and driver, and its pickup and drop-off to within about a kilometer.</li>
        <li>Our copies of messages to apps about your rides, including messages we haven’t sent yet.</li>
        <li>Made-up passengers that apps linked to your account for tests, and their test rides.</li>
      </ul>
      <p>If you have a ride in progress, wait until it ends. If you haven’t paid for a ride, we charge your card for it when you
      delete your account.</p>
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
        label: `Type “${WORD}” to confirm`,
        type: 'text',
        autocomplete: 'off',
        problem: problems.word,
      })}
      <div class="buttons"><button class="danger">Delete account</button></div>`,
      )}`,
    }),
    submit: async ({ passenger, visitor, cookies, form, res }) => {
      const password = textIn(form, 'password');
      const problems = {
        ...(password === '' && { password: 'Enter your password.' }),
        ...(textIn(form, 'word').trim().toLowerCase() !== WORD && { word: `Type “${WORD}” to confirm.` }),
      };
      if (Object.keys(problems).length > 0) return problems;
      const tell = (result: ResultOf<'account_deleted'>) =>
        visitor.audit({ event: 'account_deleted', result, passenger: passenger.id });
      const notRight = () => {
        tell('failed');
        return { password: 'Wrong password. Try again.' };
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
      if (outcome === 'riding') return { '': 'You have a ride in progress. Delete your account after it ends.' };
      tell('succeeded');
      await leaveAtOnce(parts, passenger.id, MOST_TURNS_OF_DELETION);
      leave(res, cookies, 'deleted');
      return undefined;
    },
  };
}
