import { PORTAL_PATHS } from '../../links.ts';
import { type Html, html, NOTHING } from '../../pages/html.ts';
import { FORM_STEP, type Page } from '../../pages/layout.ts';
import type { PortalSignUp } from '../../parts.ts';
import { EMAIL, formTo, labeledInput, NEW_PASSWORD, type Problems, problemSummary } from '../../sign-in/views/form.ts';
import { LINK_FIELDS } from '../operator-link.ts';

/** Why sign-up is closed, or why this link doesn't work. */
export type NoWayIn = 'off' | 'invite' | 'broken';

interface PortalSignUpProps {
  readonly csrfToken: string;
  /** Null for an open sign-up. */
  readonly invitation: { readonly token: string; readonly email: string } | null;
  /** As submitted. The page never repeats the password. */
  readonly email?: string;
  readonly problems?: Problems;
}

export function signUpPage({ csrfToken, invitation, email, problems = {} }: PortalSignUpProps): Page {
  const inputs = html`${labeledInput({
    ...EMAIL,
    value: invitation?.email ?? (email || undefined),
    problem: problems.email,
    ...(invitation && { hint: 'From your invitation.', isFixed: true }),
  })}
      ${labeledInput({ ...NEW_PASSWORD, name: 'password', label: 'Password', problem: problems.password })}
      <div class="buttons"><button class="primary">Create account</button></div>`;
  return {
    title: 'Create a developer account',
    lead: html`Create apps that call the Ridehail API, and manage their credentials.`,
    body: html`
      ${formTo(PORTAL_PATHS.signUp, csrfToken, inputs, invitation ? { [LINK_FIELDS.signUp]: invitation.token } : {})}
      <p>Already have an account? <a href="${PORTAL_PATHS.signIn}">Sign in</a></p>`,
    ...FORM_STEP,
    ...problemSummary(problems),
  };
}

export function noWayInPage(why: NoWayIn, mode: PortalSignUp): Page {
  const { title, lead, remedy } = EXPLANATIONS[why];
  return {
    title,
    lead,
    body: html`
      <p>${remedy}</p>
      ${why === 'broken' && mode === 'open' ? html`<p><a href="${PORTAL_PATHS.signUp}">Create an account without an invitation</a></p>` : NOTHING}
      <p>Already have an account? <a href="${PORTAL_PATHS.signIn}">Sign in</a></p>`,
    isPrivate: true,
    isStep: true,
  };
}

const EXPLANATIONS: Readonly<Record<NoWayIn, { readonly title: string; readonly lead: Html; readonly remedy: Html }>> =
  {
    off: {
      title: 'Sign-up is closed',
      lead: html`On this server, the operator creates developer accounts.`,
      remedy: html`Ask the operator for an account. They send you a link to set your password.`,
    },
    invite: {
      title: 'You need an invitation',
      lead: html`On this server, only invited developers can create an account.`,
      remedy: html`Ask the operator for an invitation. They send you a link to the sign-up form.`,
    },
    broken: {
      title: 'This invitation doesn’t work',
      lead: html`An invitation works once and expires after a while.`,
      remedy: html`If you already signed up with it, sign in. Otherwise, check that you copied the whole link, or ask the operator for a new one.`,
    },
  };
