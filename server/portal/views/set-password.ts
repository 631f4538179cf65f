import { PORTAL_PATHS } from '../../links.ts';
import { html } from '../../pages/html.ts';
import type { Page } from '../../pages/layout.ts';
import { formTo } from '../../sign-in/views/form.ts';
import { newPasswordInputs } from '../../sign-in/views/new-password.ts';
import { problemSummary } from '../../sign-in/views/problem-summary.ts';
import { refusedPage } from '../../sign-in/views/refused.ts';
import { LINK_FIELDS } from '../operator-link.ts';
import type { Problems } from '../page.ts';

interface SetPasswordProps {
  readonly csrfToken: string;
  readonly token: string;
  readonly email: string;
  readonly problems?: Problems;
}

export function setPasswordPage({ csrfToken, token, email, problems = {} }: SetPasswordProps): Page {
  const found = Object.entries(problems).map(([field, sentence]) => ({ sentence, field }));
  const content = html`<input type="hidden" name="${LINK_FIELDS.setPassword}" value="${token}">
      ${newPasswordInputs(problems)}
      <div class="buttons"><button class="primary">Set password</button></div>`;
  return {
    title: 'Choose a password',
    lead: html`For the developer account of ${email}. Every browser that is signed in to it is signed out.`,
    body: formTo(PORTAL_PATHS.setPassword, csrfToken, content),
    isPrivate: true,
    isStep: true,
    formTargets: ["'self'"],
    ...(found.length > 0 && { problem: problemSummary(found, { isFocused: true }) }),
  };
}

/** The same for a link that was used, has expired or never existed. */
export function brokenLinkPage(): Page {
  return refusedPage({
    title: 'This link does not work',
    sentence: 'A link to choose a password works once, and ends after a while.',
    hints: [
      'If you have chosen a password with it, sign in with that one.',
      'Otherwise check that the whole link was copied, or ask the operator of this server for a new one.',
    ],
    beginning: PORTAL_PATHS.signIn,
  });
}
