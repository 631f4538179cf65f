import type { Passenger } from '../../domain/passenger.ts';
import { ACCOUNT_PATHS, CONSENT_PATHS } from '../../links.ts';
import { FORM_STEP, type Html, html, NOTHING, type Page } from '../../pages/page.ts';
import { problemSummary } from '../../sign-in/views/form.ts';
import type { ReturnAddress } from '../authorization-request.ts';
import { type StepProps, stepForm } from '../step.ts';

/** A scope and its description for passengers. */
interface ScopeLine {
  readonly scope: string;
  readonly sentence: string;
}

interface ConsentProps extends StepProps {
  readonly redirectUri: string;
  readonly passenger: Pick<Passenger, 'firstName' | 'lastName' | 'email' | 'imageUrl'>;
  /** Scopes that the passenger can't clear. */
  readonly always: readonly ScopeLine[];
  readonly optional: ReadonlyArray<ScopeLine & { readonly ticked: boolean }>;
  readonly problem?: string;
}

export function consentPage(props: ConsentProps): Page {
  const { applicationName, redirectUri, always, optional, problem } = props;
  return {
    title: `Allow ${applicationName} to use your account?`,
    lead: html`It won’t see your password. Whether you allow or deny access, you return to ${placeOf(redirectUri)}.`,
    body: html`
      ${stepForm(
        CONSENT_PATHS.consent,
        props,
        html`
      ${signedInAs(props.passenger, html`<button form="${SIGN_OUT}">Not you? Sign out</button>`)}
      ${always.length === 0 ? NOTHING : alwaysGranted(always)}
      ${optional.length === 0 ? NOTHING : html`<fieldset><legend>Choose what to allow</legend>${optional.map(choice)}</fieldset>`}
      <p class="quiet">You can remove access at any time in <a href="${ACCOUNT_PATHS.applications}">your account</a>.</p>
      <div class="buttons">
        <button class="primary" name="decision" value="allow">Allow</button>
        <button name="decision" value="deny">Deny</button>
      </div>`,
      )}
      ${stepForm(CONSENT_PATHS.signOut, props, NOTHING, SIGN_OUT)}`,
    ...FORM_STEP,
    ...problemSummary(problem === undefined ? {} : { '': problem }),
  };
}

/** Forms cannot contain forms, and the bar with the decision stays in sight only inside of its form. */
const SIGN_OUT = 'leave';

export function signedInAs({ firstName, lastName, email, imageUrl }: ConsentProps['passenger'], more = NOTHING): Html {
  return html`<section class="signed-in" aria-label="Signed in">
        ${portrait(firstName, imageUrl)}
        <p><span class="quiet">Signed in as</span><br><strong>${firstName} ${lastName}</strong><br><span class="quiet">${email}</span></p>
        ${more}
      </section>`;
}

function alwaysGranted(scopes: readonly ScopeLine[]): Html {
  return html`<h2 id="always">Always included</h2>
      <ul aria-labelledby="always">${scopes.map(({ sentence }) => html`<li>${sentence}</li>`)}</ul>`;
}

function choice({ scope, sentence, ticked }: ScopeLine & { readonly ticked: boolean }): Html {
  return html`<label class="choice"><input type="checkbox" name="scope" value="${scope}"${ticked ? html` checked` : NOTHING}><span>${sentence}</span></label>`;
}

/** The passenger's picture if it's a path on this server, otherwise their initial. */
function portrait(firstName: string, imageUrl: string | null): Html {
  if (imageUrl !== null && /^\/(?!\/)/.test(imageUrl)) {
    return html`<img class="portrait" src="${imageUrl}" alt="" width="56" height="56">`;
  }
  return html`<span class="portrait initial" aria-hidden="true">${[...firstName][0] ?? ''}</span>`;
}

/**
 * Goes on to the application. A redirect would belong to the form: browsers apply the form's policy to every redirect
 * after it, also to those of the application (CSP 3, section 6.4.1), and block an app's scheme or plain http.
 * @param path of the operation, which redirects to the application
 */
export function leavingPage({ application, redirectUri }: ReturnAddress, path: string): Page {
  return {
    title: `Back to ${application.name}`,
    lead: html`You return to ${placeOf(redirectUri)}.`,
    body: html`<p><a href="${path}">Continue</a>, if nothing happens.</p>`,
    goOnTo: path,
    isPrivate: true,
    isStep: true,
  };
}

/** The host of a redirect URI. An app chooses its own scheme, which can look like a website: paypal.com:/callback. */
function placeOf(redirectUri: string): Html {
  const { protocol, host } = new URL(redirectUri);
  if (/^https?:$/.test(protocol)) return html`<strong>${host}</strong>`;
  return html`<strong>an app on this device</strong>, which opens links that start with <code>${protocol}</code>`;
}
