import { ACCOUNT_PATHS, CONSENT_PATHS } from '../../links.ts';
import { type Html, html, NOTHING } from '../../pages/html.ts';
import { FORM_STEP, type Page } from '../../pages/layout.ts';
import { problemSummary } from '../../sign-in/views/form.ts';
import { type StepProps, stepForm } from '../step.ts';
import { placeOf } from './leaving.ts';

/** A scope and its description for passengers. */
interface ScopeLine {
  readonly scope: string;
  readonly sentence: string;
}

interface ConsentProps extends StepProps {
  readonly redirectUri: string;
  readonly passenger: PassengerProps;
  /** Scopes that the passenger can't clear. */
  readonly always: readonly ScopeLine[];
  readonly optional: ReadonlyArray<ScopeLine & { readonly ticked: boolean }>;
  readonly problem?: string;
}

interface PassengerProps {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  /** Shown only if it's a path on this server. */
  readonly imageUrl: string | null;
}

export function consentPage(props: ConsentProps): Page {
  const { applicationName, redirectUri, always, optional, problem } = props;
  return {
    title: `Allow ${applicationName} to use your account?`,
    lead: html`${applicationName} wants access to your Ridehail account. It won’t see your password.`,
    body: html`
      ${signedIn(props)}
      ${stepForm(
        CONSENT_PATHS.consent,
        props,
        html`
      ${always.length === 0 ? NOTHING : alwaysGranted(always)}
      ${optional.length === 0 ? NOTHING : html`<fieldset><legend>Choose what to allow</legend>${optional.map(choice)}</fieldset>`}
      <p class="quiet">You can remove access at any time in <a href="${ACCOUNT_PATHS.applications}">your account</a>.</p>
      <p>Whether you allow or deny access, you return to <strong>${placeOf(redirectUri)}</strong>.</p>
      <div class="buttons">
        <button class="primary" name="decision" value="allow">Allow</button>
        <button name="decision" value="deny">Deny</button>
      </div>`,
      )}`,
    ...FORM_STEP,
    ...problemSummary(problem === undefined ? {} : { '': problem }),
  };
}

function signedIn({ passenger: { firstName, lastName, email, imageUrl }, ...step }: ConsentProps): Html {
  const leaving = html`<button>Not you? Sign out</button>`;
  return html`<section class="signed-in" aria-label="Signed in">
        ${portrait(firstName, imageUrl)}
        <p><span class="quiet">Signed in as</span><br><strong>${firstName} ${lastName}</strong><br><span class="quiet">${email}</span></p>
        ${stepForm(CONSENT_PATHS.signOut, step, leaving)}
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
export function portrait(firstName: string, imageUrl: string | null): Html {
  if (imageUrl !== null && /^\/(?!\/)/.test(imageUrl)) {
    return html`<img class="portrait" src="${imageUrl}" alt="" width="56" height="56">`;
  }
  return html`<span class="portrait initial" aria-hidden="true">${[...firstName][0] ?? ''}</span>`;
}
