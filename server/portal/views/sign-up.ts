import { PORTAL_PATHS } from '../../links.ts';
import { type Html, html, NOTHING } from '../../pages/html.ts';
import type { Page } from '../../pages/layout.ts';
import type { PortalSignUp } from '../../parts.ts';
import { labeledInput } from '../../sign-in/views/field.ts';
import { formTo } from '../../sign-in/views/form.ts';
import { NEW_PASSWORD } from '../../sign-in/views/new-password.ts';
import { problemSummary } from '../../sign-in/views/problem-summary.ts';
import { LINK_FIELDS } from '../operator-link.ts';
import type { Problems } from '../page.ts';

/** Why nobody can sign up, or not with this link. */
export type NoWayIn = 'off' | 'invite' | 'broken';

interface PortalSignUpProps {
  readonly csrfToken: string;
  /** Null for a sign-up that needs none. */
  readonly invitation: { readonly token: string; readonly email: string } | null;
  /** As typed before. The page never repeats the password. */
  readonly email?: string;
  readonly problems?: Problems;
}

const FIELDS = ['email', 'password'] as const;

export function signUpPage({ csrfToken, invitation, email, problems = {} }: PortalSignUpProps): Page {
  const token = invitation && html`<input type="hidden" name="${LINK_FIELDS.signUp}" value="${invitation.token}">`;
  const inputs = html`${token ?? NOTHING}
      ${labeledInput({
        name: 'email',
        label: 'Email',
        type: 'email',
        autocomplete: 'email',
        value: invitation?.email ?? (email || undefined),
        problem: problems.email,
        ...(invitation && { hint: 'The one that you were invited with.', isFixed: true }),
      })}
      ${labeledInput({ ...NEW_PASSWORD, name: 'password', label: 'Password', problem: problems.password })}
      <div class="buttons"><button class="primary">Create account</button></div>`;
  const found = FIELDS.flatMap((field) => {
    const sentence = problems[field];
    return sentence === undefined ? [] : [{ sentence, field }];
  });
  return {
    title: 'Create a developer account',
    lead: html`With it you make applications, and get their secrets.`,
    body: html`
      ${formTo(PORTAL_PATHS.signUp, csrfToken, inputs)}
      <p>Have an account already? <a href="${PORTAL_PATHS.signIn}">Sign in</a></p>`,
    isPrivate: true,
    isStep: true,
    formTargets: ["'self'"],
    ...(found.length > 0 && { problem: problemSummary(found, { isFocused: true }) }),
  };
}

/** Says why there is no form, and how to get an account. */
export function noWayInPage(why: NoWayIn, mode: PortalSignUp): Page {
  const { title, lead, remedy } = EXPLANATIONS[why];
  return {
    title,
    lead,
    body: html`
      <p>${remedy}</p>
      ${why === 'broken' && mode === 'open' ? html`<p><a href="${PORTAL_PATHS.signUp}">Create an account without it</a></p>` : NOTHING}
      <p>Have an account already? <a href="${PORTAL_PATHS.signIn}">Sign in</a></p>`,
    isPrivate: true,
    isStep: true,
  };
}

const EXPLANATIONS: Readonly<Record<NoWayIn, { readonly title: string; readonly lead: Html; readonly remedy: Html }>> =
  {
    off: {
      title: 'Nobody can sign up here',
      lead: html`On this server the operator makes the accounts of developers.`,
      remedy: html`Ask the operator for an account. You get a link, and choose your password there.`,
    },
    invite: {
      title: 'You need an invitation',
      lead: html`On this server only those who are invited can make an account.`,
      remedy: html`Ask the operator for an invitation. You get a link, which leads to the form.`,
    },
    broken: {
      title: 'This invitation does not work',
      lead: html`An invitation works once, and ends after a while.`,
      remedy: html`If you have signed up with it, sign in. Otherwise check that the whole link was copied, or ask the operator for a new one.`,
    },
  };
