import { signedInAs } from '../consent/views/consent.ts';
import type { Passenger } from '../domain/passenger.ts';
import { ACCOUNT_PATHS } from '../links.ts';
import { html, momentOf } from '../pages/page.ts';
import { SECTIONS, type Section } from './section.ts';

export const OVERVIEW: Section = {
  path: ACCOUNT_PATHS.overview,
  show: ({ account: passenger, session }) => ({
    lead: html`Your details and settings.`,
    body: html`
      ${signedInAs(passenger)}
      <dl>
        <div><dt>Phone number</dt><dd>${phoneOf(passenger)}</dd></div>
        <div><dt>Payment method</dt><dd>${passenger.paymentMethod ?? 'none'}</dd></div>
        <div><dt>Account created</dt><dd>${momentOf(passenger.createdAt)}</dd></div>
        <div><dt>Signed in since</dt><dd>${momentOf(session.signedInAt)}</dd></div>
      </dl>
      <h2 id="more">Settings</h2>
      <ul class="links" aria-labelledby="more">${OTHERS.map(({ path, title }) => html`<li><a href="${path}"><strong>${title}</strong></a></li>`)}</ul>`,
  }),
};

const OTHERS = SECTIONS.filter(({ path }) => path !== ACCOUNT_PATHS.overview);

function phoneOf({ phoneNumber, phoneVerified }: Passenger): string {
  if (phoneNumber === null) return 'none';
  return phoneVerified ? phoneNumber : `${phoneNumber}, not verified`;
}
