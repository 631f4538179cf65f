import type { ResultOf } from '../audit.ts';
import { beginSession } from '../consent/begin-session.ts';
import type { PasswordCheck } from '../consent/password-check.ts';
import { PASSWORD_LENGTH } from '../consent/password-length.ts';
import { textIn } from '../consent/sent-form.ts';
import { untilClosed } from '../consent/step.ts';
import { answerWait } from '../consent/too-many.ts';
import { labeledInput } from '../consent/views/field.ts';
import type { Passenger } from '../domain/passenger.ts';
import { ACCOUNT_PATHS } from '../links.ts';
import { hashPassword } from '../oauth/passwords.ts';
import { html } from '../pages/html.ts';
import type { Parts } from '../parts.ts';
import { changePasswordHash } from '../store/passengers.ts';
import { deleteSignIns } from '../store/sessions.ts';
import { goTo, type Problems, type Section } from './section.ts';
import { accountForm } from './views/shell.ts';

const NOT_RIGHT = 'The current password is not right.';

/** Changes the password, and ends all other sessions: somebody who knew the old one may have one of them. */
export function passwordSection(parts: Pick<Parts, 'store' | 'randomBytes'>, checkPassword: PasswordCheck): Section {
  const path = ACCOUNT_PATHS.password;
  return {
    path,
    title: 'Change your password',
    label: 'Password',
    show: ({ visitor, isDone }, problems = {}) => ({
      lead: html`Every other browser is signed out. Applications keep their access: you end that at
        <a href="${ACCOUNT_PATHS.applications}">Applications</a>.`,
      ...(isDone && { done: 'Your password is changed, and all other browsers are signed out.' }),
      body: accountForm(
        path,
        visitor.csrfToken(),
        html`${FIELDS.map((field) => labeledInput({ ...field, problem: problems[field.name] }))}
      <div class="buttons"><button class="primary">Change password</button></div>`,
      ),
    }),
    submit: async (visit) => {
      const { passenger, visitor, cookies, form, res } = visit;
      const current = textIn(form, 'current_password');
      const chosen = textIn(form, 'new_password');
      const problems = await problemsOf(current, chosen, textIn(form, 'repeated_password'), passenger);
      if (Object.keys(problems).length > 0) return problems;
      const tell = (result: ResultOf<'password_changed'>) =>
        visitor.audit({ event: 'password_changed', result, passenger: passenger.id });
      const notRight = () => {
        tell('failed');
        return { current_password: NOT_RIGHT };
      };
      const signal = untilClosed(res);
      const checked = await checkPassword({ email: passenger.email, password: current, visitor, signal });
      if ('waitSeconds' in checked) {
        tell('slowed_down');
        answerWait(res, checked.waitSeconds, path);
        return undefined;
      }
      if (checked.passenger?.id !== passenger.id) return notRight();
      const after = await hashPassword(chosen, { line: visitor.networks.wide, signal });
      const before = checked.passenger.passwordHash;
      const isChanged = await parts.store.transaction(async (tx) => {
        if (!(await changePasswordHash(tx, passenger, { before, after }))) return false;
        await deleteSignIns(tx, passenger.id);
        return true;
      });
      // another browser has changed it meanwhile
      if (!isChanged) return notRight();
      tell('succeeded');
      await beginSession(parts, cookies, { res, visitor }, { ...passenger, passwordHash: after });
      goTo(res, path, true);
      return undefined;
    },
  };
}

const FIELDS = [
  { name: 'current_password', label: 'Current password', type: 'password', autocomplete: 'current-password' },
  {
    name: 'new_password',
    label: 'New password',
    type: 'password',
    autocomplete: 'new-password',
    hint: `At least ${PASSWORD_LENGTH.least} characters.`,
    leastLength: PASSWORD_LENGTH.least,
  },
  { name: 'repeated_password', label: 'New password again', type: 'password', autocomplete: 'new-password' },
] as const;

async function problemsOf(
  current: string,
  chosen: string,
  repeated: string,
  own: Pick<Passenger, 'email' | 'firstName' | 'lastName'>,
): Promise<Problems> {
  // its packages take longer to load than most of the server
  const { problemOfPassword } = await import('../consent/password-rules.ts');
  const problem = problemOfPassword(chosen, own);
  return {
    ...(current === '' && { current_password: 'Enter your current password.' }),
    ...(problem !== null && { new_password: problem }),
    ...(problem === null && repeated !== chosen && { repeated_password: 'The two new passwords differ.' }),
  };
}
