import { demoAccounts } from '../../consent/views/sign-in.ts';
import { ACCOUNT_PATHS } from '../../links.ts';
import { html, NOTHING } from '../../pages/html.ts';
import type { Page } from '../../pages/layout.ts';
import { type Credentials, credentialInputs } from '../../sign-in/views/credentials.ts';
import { formTo } from '../../sign-in/views/form.ts';
import { noteDone } from '../../sign-in/views/note-done.ts';

interface AccountSignInProps extends Credentials {
  readonly csrfToken: string;
  /** The account path to open after sign-in. */
  readonly to: string;
  readonly hasDemo: boolean;
  /** Shown after a sign-out or a deletion. */
  readonly note?: string | undefined;
}

export function accountSignInPage({ csrfToken, to, hasDemo, note, ...typed }: AccountSignInProps): Page {
  const { inputs, summary } = credentialInputs(typed);
  return {
    title: 'Sign in to your account',
    lead: html`See your data and manage which apps have access to your account.`,
    body: html`
      ${note === undefined ? NOTHING : noteDone(note)}
      ${hasDemo ? demoAccounts() : NOTHING}
      ${formTo(ACCOUNT_PATHS.signIn, csrfToken, html`<input type="hidden" name="to" value="${to}">${inputs}`)}
      <p class="quiet">New here? You can create an account the first time an app asks you to connect with Ridehail.</p>`,
    isPrivate: true,
    isStep: true,
    hasForms: true,
    ...summary,
  };
}
