import { DEMO, DEMO_PASSENGERS } from '../../demo.ts';
import { CONSENT_PATHS } from '../../links.ts';
import { type Html, html, NOTHING } from '../../pages/html.ts';
import type { Page } from '../../pages/layout.ts';
import { type Credentials, credentialInputs } from '../../sign-in/views/credentials.ts';
import { type StepProps, stepForm, withQuery } from './step.ts';

interface SignInProps extends StepProps, Credentials {
  /** Whether the visitor has just sent the form for a new account. */
  readonly hasSignedUp?: boolean;
  /** Whether this server has the demo passengers. */
  readonly hasDemo: boolean;
}

export function signInPage(props: SignInProps): Page {
  const { applicationName, query, hasSignedUp = false, hasDemo } = props;
  const { inputs, summary } = credentialInputs(props);
  return {
    title: `Sign in to continue to ${applicationName}`,
    lead: html`${applicationName} asks for access to your Ridehail account. You decide on the next page, and your password stays with us.`,
    body: html`
      ${hasSignedUp ? SIGNED_UP : NOTHING}
      ${hasDemo ? demoAccounts() : NOTHING}
      ${stepForm(CONSENT_PATHS.signIn, props, inputs)}
      <p>New here? <a href="${withQuery(CONSENT_PATHS.signUp, query)}">Create an account</a></p>`,
    isPrivate: true,
    isStep: true,
    formTargets: ["'self'"],
    ...summary,
  };
}

/** The same whether the email was free or not: otherwise anybody could ask who has an account. */
const SIGNED_UP = html`<p class="note" role="status">Sign in to go on. If this email address had no account, it has one now, with
      the password that you chose. If it had one already, nothing about it has changed: sign in with the password of that account.</p>`;

/** The emails and the password of the demo passengers. */
export function demoAccounts(): Html {
  const emails = DEMO_PASSENGERS.map(({ email }, i) => html`${i === 0 ? '' : ', '}<code>${email}</code>`);
  return html`<p class="note">This is a development server. Its demo passengers are ${emails}. Their password is
      <code>${DEMO.password}</code>.</p>`;
}
