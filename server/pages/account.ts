import { OPERATIONS } from '../../generated/server.ts';
import type { AccountProblem } from '../domain/rides/standing.ts';
import { type Html, html, NOTHING } from './html.ts';
import type { Page } from './layout.ts';

/** What a passenger cannot mend on a page of their account. The other problems have sections there. */
type Obstacle = Extract<AccountProblem, 'suspended' | 'driver-mode'>;

interface Explanation {
  readonly title: string;
  readonly lead: string;
  /** What the passenger can do, a sentence each. */
  readonly remedies: readonly string[];
  /** What a sandbox sets to bring a passenger into this state. */
  readonly traits: Readonly<Record<string, boolean>>;
}

const OBSTACLES: Readonly<Record<Obstacle, Explanation>> = {
  suspended: {
    title: 'This account is suspended',
    lead: 'While it is, you cannot request rides. Your past rides and receipts stay readable, and a ride that has begun goes on.',
    remedies: [
      'Write to the support of this service from the email address of your account, and ask why.',
      'Once support has restored the account, request the ride again. You need no new account.',
    ],
    traits: { account_disabled: true },
  },
  'driver-mode': {
    title: 'You are in driver mode',
    lead: 'You are signed in as a driver, and a driver at work cannot be a passenger.',
    remedies: [
      'Go offline in the driver app, then request the ride again.',
      'If you are not driving and still see this, write to the support of this service.',
    ],
    traits: { driver_mode: true },
  },
};

const { method, path } = OPERATIONS.updatePassenger;

/** @returns undefined for an unknown obstacle */
export function accountPage(name: string, isDevelopment: boolean): Page | undefined {
  if (!Object.hasOwn(OBSTACLES, name)) return undefined;
  const { title, lead, remedies, traits } = OBSTACLES[name as Obstacle];
  return {
    title,
    lead: html`${lead}`,
    body: html`
      <section aria-labelledby="remedy">
        <h2 id="remedy">What you can do</h2>
        <ul>${remedies.map((remedy) => html`<li>${remedy}</li>`)}</ul>
        <p><a href="/account">To your account</a></p>
      </section>
      ${isDevelopment ? forDevelopers(name as Obstacle, traits) : NOTHING}`,
  };
}

function forDevelopers(obstacle: Obstacle, traits: Explanation['traits']): Html {
  const [on, off] = obstacle === 'suspended' ? ['suspend', 'restore'] : ['driver-mode on', 'driver-mode off'];
  return html`<section aria-labelledby="developers">
        <h2 id="developers">For developers</h2>
        <p>In a sandbox, send <code>${JSON.stringify(traits)}</code> with <code>${method.toUpperCase()} ${path}</code> to bring a
        passenger into this state, and <code>false</code> to end it. In the live world an operator does it:</p>
        <pre tabindex="0" aria-labelledby="developers"><code>npm run -s passenger -- ${on} leo@example.com
npm run -s passenger -- ${off} leo@example.com</code></pre>
      </section>`;
}
