import { DEMO, DEMO_PASSENGERS } from '../../demo.ts';
import type { GivenAtSignUp } from '../../domain/new-account.ts';
import { CONSENT_PATHS } from '../../links.ts';
import { FORM_STEP, type Html, html, NOTHING, type Page } from '../../pages/page.ts';
import {
  type Credentials,
  credentialsPage,
  EMAIL,
  type Field,
  labeledInput,
  NEW_PASSWORD,
  type Problems,
  problemSummary,
  SIGNED_UP,
} from '../../sign-in/views/form.ts';
import { type StepProps, stepForm, withQuery } from '../step.ts';

interface SignInProps extends StepProps, Credentials {
  /** Whether the visitor has just submitted the sign-up form. */
  readonly hasSignedUp?: boolean;
  readonly hasDemo: boolean;
}

export function signInPage({ applicationName, query, hasSignedUp, hasDemo, ...form }: SignInProps): Page {
  const words = {
    title: `Sign in to continue to ${applicationName}`,
    lead: html`It won’t see your password. On the next page, you choose what it can do with your account.`,
    demo: hasDemo ? demoAccounts() : NOTHING,
    ways: html`<p>New here? <a href="${withQuery(CONSENT_PATHS.signUp, query)}">Create an account</a></p>`,
  };
  const path = withQuery(CONSENT_PATHS.signIn, query);
  return credentialsPage(words, { ...form, path, note: hasSignedUp ? SIGNED_UP : NOTHING });
}

export function demoAccounts(): Html {
  const emails = DEMO_PASSENGERS.map(({ email }, i) => html`${i === 0 ? '' : ', '}<code>${email}</code>`);
  return html`<p class="note">This is a development server. Sign in as a demo passenger: ${emails}. The password is
      <code>${DEMO.password}</code>.</p>`;
}

export type SignUpField = 'first_name' | 'last_name' | 'email' | 'phone_number' | 'password';

interface SignUpProps extends StepProps {
  /** As submitted. The page never repeats the password. */
  readonly values: Partial<Record<SignUpField, string>>;
  readonly problems: Problems;
  readonly given: GivenAtSignUp;
}

export const NOT_A_NUMBER =
  'Enter a valid phone number, such as +1 415 555 0100. Numbers outside the US need a country code.';

export const PHONE_NUMBER = {
  ...({ name: 'phone_number', label: 'Phone number', type: 'tel', autocomplete: 'tel' } as const),
  hint: 'Start with the country code, as in +1 415 555 0100. For a US number, you can leave it out.',
};

const FIELDS: ReadonlyArray<Field & { readonly name: SignUpField }> = [
  { name: 'first_name', label: 'First name', type: 'text', autocomplete: 'given-name' },
  { name: 'last_name', label: 'Last name', type: 'text', autocomplete: 'family-name' },
  EMAIL,
  PHONE_NUMBER,
  { ...NEW_PASSWORD, name: 'password', label: 'Password' },
];

export function signUpPage(props: SignUpProps): Page {
  const { applicationName, query, values, problems, given } = props;
  const inputs = FIELDS.map((field) =>
    labeledInput({
      ...field,
      value: field.name === 'password' ? undefined : values[field.name],
      problem: problems[field.name],
    }),
  );
  return {
    title: 'Create an account',
    lead: html`After you sign in, you choose what ${applicationName} can do with your account.`,
    body: html`
      ${note(given)}
      ${stepForm(CONSENT_PATHS.signUp, props, html`${inputs}<div class="buttons"><button class="primary">Create account</button></div>`)}
      <p>Already have an account? <a href="${withQuery(CONSENT_PATHS.signIn, query)}">Sign in</a></p>`,
    ...FORM_STEP,
    ...problemSummary(problems),
  };
}

/** What the new account includes, and what to do before the first ride. */
function note({ paymentMethod, phoneVerified, isPhoneFinal }: GivenAtSignUp): Html {
  const card =
    paymentMethod === null
      ? 'Before your first ride, add a card in your account.'
      : 'This is a simulated service. Your account comes with a test card, so rides are free.';
  const phone = phoneVerified
    ? 'We treat your phone number as verified and don’t send a code.'
    : 'Before your first ride, verify your phone number in your account. We’ll text you a code.';
  return html`<p class="note">${card} ${phone}${isPhoneFinal ? ' Check the number: you can’t change it later.' : ''}</p>`;
}
