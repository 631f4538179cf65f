import { type Html, html } from '../../pages/html.ts';
import type { Page } from '../../pages/layout.ts';
import { EMAIL, labeledInput, passwordInput, problemIdOf, problemSummary } from './form.ts';

/** What a sign-in form repeats. Never the password. */
export interface Credentials {
  /** As submitted. */
  readonly email?: string;
  readonly problem?: string;
}

export function credentialInputs({ email = '', problem }: Credentials): {
  readonly inputs: Html;
  readonly summary: Pick<Page, 'problem'>;
} {
  // after a failed attempt the password is the more likely mistake
  const field = email === '' ? 'email' : 'password';
  const sharedProblemId = problem === undefined ? undefined : problemIdOf(field);
  const stateOf = (name: string) => ({
    ...{ problem: name === field ? problem : undefined, sharedProblemId, isFocused: name === field },
  });
  const inputs = html`
      ${labeledInput({ ...EMAIL, value: email || undefined, ...stateOf('email') })}
      ${passwordInput({ name: 'password', label: 'Password', ...stateOf('password') })}
      <div class="buttons"><button class="primary">Sign in</button></div>`;
  return { inputs, summary: problemSummary(problem === undefined ? {} : { [field]: problem }, false) };
}
