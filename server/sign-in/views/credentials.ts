import { type Html, html } from '../../pages/html.ts';
import type { Page } from '../../pages/layout.ts';
import { labeledInput, problemIdOf, problemSummary } from './form.ts';

/** What a sign-in form repeats. Never the password. */
export interface Credentials {
  /** As submitted. */
  readonly email?: string;
  /** Why the last attempt failed. */
  readonly problem?: string;
}

/** The sign-in inputs with their button, and the error summary. */
export function credentialInputs({ email = '', problem }: Credentials): {
  readonly inputs: Html;
  readonly summary: Pick<Page, 'problem'>;
} {
  // after a failed attempt the password is the more likely mistake
  const field = email === '' ? 'email' : 'password';
  const sharedProblemId = problem === undefined ? undefined : problemIdOf(field);
  const inputs = html`
      ${labeledInput({
        name: 'email',
        label: 'Email',
        type: 'email',
        autocomplete: 'email',
        value: email || undefined,
        problem: field === 'email' ? problem : undefined,
        sharedProblemId,
        isFocused: field === 'email',
      })}
      ${labeledInput({
        name: 'password',
        label: 'Password',
        type: 'password',
        autocomplete: 'current-password',
        problem: field === 'password' ? problem : undefined,
        sharedProblemId,
        isFocused: field === 'password',
      })}
      <div class="buttons"><button class="primary">Sign in</button></div>`;
  return { inputs, summary: problemSummary(problem === undefined ? {} : { [field]: problem }, false) };
}
