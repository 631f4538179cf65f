import { OPERATIONS } from '../../generated/server.ts';
import type { AccountProblem } from '../domain/rides/standing.ts';
import { type Html, html, NOTHING, type Page, section } from './page.ts';

/** Problems that a passenger can't fix on an account page. */
type Obstacle = Extract<AccountProblem, 'suspended' | 'driver-mode'>;

const OBSTACLES = {
  suspended: {
    title: 'Your account is suspended',
    lead: 'You can’t request rides. A ride in progress continues, and you can still see past rides and receipts.',
    remedies: [
      'Contact support from your account’s email address and ask why.',
      'After support restores your account, request your ride again. You don’t need a new account.',
    ],
    traits: { account_disabled: true },
  },
  'driver-mode': {
    title: 'You’re in driver mode',
    lead: 'You can’t request rides while you’re online as a driver.',
    remedies: [
      'Go offline in the driver app, then request your ride again.',
      'If you aren’t driving, contact support.',
    ],
    traits: { driver_mode: true },
  },
} satisfies Record<Obstacle, object>;

const { method, path } = OPERATIONS.updatePassenger;

/** @returns undefined for an unknown obstacle */
export function accountPage(name: string, isDevelopment: boolean): Page | undefined {
  if (!Object.hasOwn(OBSTACLES, name)) return undefined;
  const { title, lead, remedies, traits } = OBSTACLES[name as Obstacle];
  const body = html`<ul>${remedies.map((remedy) => html`<li>${remedy}</li>`)}</ul>
      <p><a href="/account">Go to your account</a></p>`;
  return {
    title,
    lead: html`${lead}`,
    body: html`
      ${section('remedy', 'What you can do', body)}
      ${isDevelopment ? forDevelopers(name as Obstacle, traits) : NOTHING}`,
  };
}

/** @param traits the sandbox traits that put a passenger in this state */
function forDevelopers(obstacle: Obstacle, traits: object): Html {
  const [on, off] = obstacle === 'suspended' ? ['suspend', 'restore'] : ['driver-mode on', 'driver-mode off'];
  const how = html`<p>To put a sandbox passenger in this state, send <code>${JSON.stringify(traits)}</code> to
        <code>${method.toUpperCase()} ${path}</code>. To end it, send the same field with the value <code>false</code>.
        For a live passenger, an operator runs:</p>
        <pre aria-labelledby="developers"><code>ridehail-server passenger ${on} leo@example.com
ridehail-server passenger ${off} leo@example.com</code></pre>`;
  return section('developers', 'For developers', how);
}
