import { DEMO, DEMO_DEVELOPER } from '../../demo.ts';
import { PORTAL_PATHS } from '../../links.ts';
import { type Html, html, NOTHING } from '../../pages/html.ts';
import type { Page } from '../../pages/layout.ts';
import type { PortalSignUp } from '../../parts.ts';
import { type Credentials, credentialInputs } from '../../sign-in/views/credentials.ts';
import { formTo } from '../../sign-in/views/form.ts';
import { noteDone } from '../../sign-in/views/note-done.ts';

interface PortalSignInProps extends Credentials {
  readonly csrfToken: string;
  /** The portal path to open after sign-in. */
  readonly to: string;
  /** Whether this server has a demo developer. */
  readonly hasDemo: boolean;
  readonly signUp: PortalSignUp;
  /** Whether the visitor has just submitted the sign-up form. */
  readonly hasSignedUp?: boolean;
  /** Shown after a sign-out, for example. */
  readonly note?: string | undefined;
}

export function portalSignInPage(props: PortalSignInProps): Page {
  const { csrfToken, to, hasDemo, signUp, hasSignedUp = false, note, ...typed } = props;
  const { inputs, summary } = credentialInputs(typed);
  return {
    title: 'Sign in to the developer portal',
    lead: html`Create and manage apps that call the API. If you’re a passenger, <a href="/account">sign in to your account</a>.`,
    body: html`
      ${note === undefined ? NOTHING : noteDone(note)}
      ${hasSignedUp ? SIGNED_UP : NOTHING}
      ${hasDemo ? DEMO_ACCOUNT : NOTHING}
      ${formTo(PORTAL_PATHS.signIn, csrfToken, html`<input type="hidden" name="to" value="${to}">${inputs}`)}
      <p>${WAYS_IN[signUp]}</p>
      <p class="quiet">Forgot your password? Ask the operator of this server for a link to set a new one.</p>`,
    isPrivate: true,
    isStep: true,
    hasForms: true,
    ...summary,
  };
}

const WAYS_IN: Readonly<Record<PortalSignUp, Html>> = {
  open: html`New here? <a href="${PORTAL_PATHS.signUp}">Create an account</a>`,
  invite: html`New here? Ask the operator of this server for an invitation.`,
  off: html`New here? Ask the operator of this server for an account.`,
};

/** The same for a new and a taken email, so the page doesn't reveal who has an account. */
const SIGNED_UP = html`<p class="note" role="status">Sign in to continue. If you’re new, use the password you just chose. If this
      email already had an account, nothing changed: use that account’s password.</p>`;

const DEMO_ACCOUNT = html`<p class="note">This is a development server. Sign in as the demo developer: <code>${DEMO_DEVELOPER.email}</code>. The
      password is <code>${DEMO.password}</code>.</p>`;
