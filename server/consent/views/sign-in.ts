import { DEMO, DEMO_PASSENGERS } from '../../demo.ts';
import { CONSENT_PATHS } from '../../links.ts';
import { FORM_STEP, type Html, html, NOTHING, type Page } from '../../pages/page.ts';
import { type Credentials, credentialInputs, SIGNED_UP } from '../../sign-in/views/form.ts';
import { type StepProps, stepForm, withQuery } from '../step.ts';

interface SignInProps extends StepProps, Credentials {
  /** Whether the visitor has just submitted the sign-up form. */
  readonly hasSignedUp?: boolean;
  readonly hasDemo: boolean;
}

export function signInPage(props: SignInProps): Page {
  const { applicationName, query, hasSignedUp = false, hasDemo } = props;
  const { inputs, summary } = credentialInputs(props);
  return {
    title: `Sign in to continue to ${applicationName}`,
    lead: html`${applicationName} wants access to your Ridehail account. It won’t see your password. On the next page, you choose what to allow.`,
    body: html`
      ${hasSignedUp ? SIGNED_UP : NOTHING}
      ${hasDemo ? demoAccounts() : NOTHING}
      ${stepForm(CONSENT_PATHS.signIn, props, inputs)}
      <p>New here? <a href="${withQuery(CONSENT_PATHS.signUp, query)}">Create an account</a></p>`,
    ...FORM_STEP,
    ...summary,
  };
}

export function demoAccounts(): Html {
  const emails = DEMO_PASSENGERS.map(({ email }, i) => html`${i === 0 ? '' : ', '}<code>${email}</code>`);
  return html`<p class="note">This is a development server. Sign in as a demo passenger: ${emails}. The password is
      <code>${DEMO.password}</code>.</p>`;
}
