import { demoAccounts } from '../../consent/views/sign-in.ts';
import { ACCOUNT_PATHS } from '../../links.ts';
import { html, NOTHING } from '../../pages/html.ts';
import type { Page } from '../../pages/layout.ts';
import { type Credentials, credentialInputs } from '../../sign-in/views/credentials.ts';
import { formTo } from '../../sign-in/views/form.ts';
import { noteDone } from '../../sign-in/views/note-done.ts';

interface AccountSignInProps extends Credentials {
  readonly csrfToken: string;
  /** The path of the account to go on to. */
  readonly to: string;
  readonly hasDemo: boolean;
  /** Said when the account was just deleted, or all sessions ended. */
  readonly note?: string | undefined;
}

export function accountSignInPage({ csrfToken, to, hasDemo, note, ...typed }: AccountSignInProps): Page {
  const { inputs, summary } = credentialInputs(typed);
  return {
    title: 'Sign in to your account',
    lead: html`Here you see what is kept of you, and which applications may act for you.`,
    body: html`
      ${note === undefined ? NOTHING : noteDone(note)}
      ${hasDemo ? demoAccounts() : NOTHING}
      ${formTo(ACCOUNT_PATHS.signIn, csrfToken, html`<input type="hidden" name="to" value="${to}">${inputs}`)}
      <p class="quiet">New here? You make an account when an application first sends you to us.</p>`,
    isPrivate: true,
    isStep: true,
    formTargets: ["'self'"],
    ...summary,
  };
}
