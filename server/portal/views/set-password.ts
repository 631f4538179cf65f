import { PORTAL_PATHS } from '../../links.ts';
import { html } from '../../pages/html.ts';
import type { Page } from '../../pages/layout.ts';
import { formTo } from '../../sign-in/views/form.ts';
import { newPasswordInputs } from '../../sign-in/views/new-password.ts';
import { type Problems, problemSummary } from '../../sign-in/views/problem-summary.ts';
import { refusedPage } from '../../sign-in/views/refused.ts';
import { LINK_FIELDS } from '../operator-link.ts';

interface SetPasswordProps {
  readonly csrfToken: string;
  readonly token: string;
  readonly email: string;
  readonly problems?: Problems;
}

export function setPasswordPage({ csrfToken, token, email, problems = {} }: SetPasswordProps): Page {
  const content = html`<input type="hidden" name="${LINK_FIELDS.setPassword}" value="${token}">
      ${newPasswordInputs(problems)}
      <div class="buttons"><button class="primary">Set password</button></div>`;
  return {
    title: 'Set your password',
    lead: html`For the developer account ${email}. This signs you out in all other browsers.`,
    body: formTo(PORTAL_PATHS.setPassword, csrfToken, content),
    isPrivate: true,
    isStep: true,
    hasForms: true,
    ...problemSummary(problems),
  };
}

/** The same for a used, an expired and an unknown link. */
export function brokenLinkPage(): Page {
  return refusedPage({
    title: 'This link doesn’t work',
    sentence: 'A link to set a password works once and expires after a while.',
    hints: [
      'If you already set a password with it, sign in.',
      'Otherwise, check that you copied the whole link, or ask the operator of this server for a new one.',
    ],
    beginning: PORTAL_PATHS.signIn,
    linkText: 'Sign in',
  });
}
