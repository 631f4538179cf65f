import { OPERATIONS } from '../../../generated/server.ts';
import { type Html, html } from '../../pages/html.ts';

const { method, path } = OPERATIONS.updatePassenger;

/** How a sandbox brings its passengers, who have no account page, into a state of the account. */
export function forDevelopers(body: Readonly<Record<string, unknown>>): Html {
  return html`<section aria-labelledby="developers">
        <h2 id="developers">For developers</h2>
        <p>Passengers of a sandbox have no account page. To try this there, send <code>${JSON.stringify(body)}</code> with
        <code>${method.toUpperCase()} ${path}</code>.</p>
      </section>`;
}
