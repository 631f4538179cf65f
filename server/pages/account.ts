import type { AccountProblem } from '../domain/rides/standing.ts';
import { type Html, html, NOTHING } from './html.ts';
import type { Page } from './layout.ts';

interface Problem {
  readonly title: string;
  readonly lead: string;
  /** What a passenger of a real service would do. */
  readonly remedy: string;
  /** The database fields of the passenger that simulate the problem. */
  readonly simulatedBy: Html;
}

/** Why a passenger cannot ride, by the last segment of the page's path. */
const PROBLEMS: Readonly<Record<AccountProblem, Problem>> = {
  payment: {
    title: 'Add a payment method',
    lead: 'A ride is charged to a valid payment method, and this account has none.',
    remedy: 'Open the passenger app, add a card, and request the ride again.',
    simulatedBy: html`The passenger has no <code>payment_method</code>: any text there, such as “Visa ending in 4242”, is one.`,
  },
  suspended: {
    title: 'This account is suspended',
    lead: 'While an account is suspended it cannot request rides. Past rides and receipts stay readable.',
    remedy: 'Write to support to learn why, and to have the account opened again.',
    simulatedBy: html`The passenger's <code>account_disabled</code> is 1; set it to 0.`,
  },
  'driver-mode': {
    title: 'Leave driver mode',
    lead: 'This person is signed in as a driver, and a driver at work cannot be a passenger.',
    remedy: 'Go offline in the driver app, and request the ride again.',
    simulatedBy: html`The passenger's <code>driver_mode</code> is 1; set it to 0.`,
  },
  phone: {
    title: 'Verify your phone number',
    lead: 'The driver must be able to reach the passenger, so a ride needs a verified phone number.',
    remedy: 'Open the passenger app, enter your number and the code that is sent to it, and request the ride again.',
    simulatedBy: html`The passenger has no <code>phone_number</code>, or <code>phone_verified</code> is 0; set it to 1.`,
  },
};

/** Undefined for an unknown problem. */
export function accountPage(name: string, hasDemo: boolean): Page | undefined {
  if (!isAccountProblem(name)) return undefined;
  const problem = PROBLEMS[name];
  return {
    title: problem.title,
    lead: html`${problem.lead}`,
    body: html`
      <section aria-labelledby="remedy">
        <h2 id="remedy">What to do</h2>
        <p>${problem.remedy}</p>
      </section>
      <section aria-labelledby="simulation">
        <h2 id="simulation">On this server</h2>
        <p>Passengers here are simulated, so there is no app to open. ${problem.simulatedBy} Whoever runs the server changes
        that in the <code>passengers</code> table of its database.</p>
        ${hasDemo ? demoPassenger() : NOTHING}
      </section>`,
  };
}

function demoPassenger(): Html {
  return html`<p>Or act for another of the demo passengers, who may ride at once:</p>
        <pre tabindex="0" aria-labelledby="simulation"><code>npm run -s token -- --user leo@example.com</code></pre>`;
}

function isAccountProblem(name: string): name is AccountProblem {
  return Object.hasOwn(PROBLEMS, name);
}
