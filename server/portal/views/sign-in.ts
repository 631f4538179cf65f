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
  /** The path of the portal to go on to. */
  readonly to: string;
  /** Whether this server has the demo developer. */
  readonly hasDemo: boolean;
  readonly signUp: PortalSignUp;
  /** Whether the visitor has just sent the form for a new account. */
  readonly hasSignedUp?: boolean;
  /** Said after a sign-out, for example. */
  readonly note?: string | undefined;
}

export function portalSignInPage(props: PortalSignInProps): Page {
  const { csrfToken, to, hasDemo, signUp, hasSignedUp = false, note, ...typed } = props;
  const { inputs, summary } = credentialInputs(typed);
  return {
    title: 'Sign in to the developer portal',
    lead: html`Here you make the applications that call the API. A passenger's account is <a href="/account">another one</a>.`,
    body: html`
      ${note === undefined ? NOTHING : noteDone(note)}
      ${hasSignedUp ? SIGNED_UP : NOTHING}
      ${hasDemo ? DEMO_ACCOUNT : NOTHING}
      ${formTo(PORTAL_PATHS.signIn, csrfToken, html`<input type="hidden" name="to" value="${to}">${inputs}`)}
      <p>${WAYS_IN[signUp]}</p>
      <p class="quiet">You do not know your password any more? The operator of this server can give you a link to set a new one.</p>`,
    isPrivate: true,
    isStep: true,
    formTargets: ["'self'"],
    ...summary,
  };
}

const WAYS_IN: Readonly<Record<PortalSignUp, Html>> = {
  open: html`New here? <a href="${PORTAL_PATHS.signUp}">Create an account</a>`,
  invite: html`New here? Ask the operator of this server for an invitation.`,
  off: html`New here? Ask the operator of this server for an account.`,
};

/** The same whether the email was free or not: otherwise anybody could ask who has an account. */
const SIGNED_UP = html`<p class="note" role="status">Sign in to go on. If this email address had no account, it has one now, with
      the password that you chose. If it had one already, nothing about it has changed: sign in with the password of that account.</p>`;

const DEMO_ACCOUNT = html`<p class="note">This is a development server. Its demo developer is <code>${DEMO_DEVELOPER.email}</code>, with the
      password <code>${DEMO.password}</code>.</p>`;
