import { OPERATIONS } from '../../../generated/server.ts';
import { type Html, html } from '../../pages/html.ts';

const { method, path } = OPERATIONS.updatePassenger;

/** How to reproduce an account state in a sandbox, where passengers have no account page. */
export function forDevelopers(body: Readonly<Record<string, unknown>>): Html {
  return html`<section aria-labelledby="developers">
        <h2 id="developers">For developers</h2>
        <p>Sandbox passengers have no account page. To test the error that links here, send <code>${JSON.stringify(body)}</code> to
        <code>${method.toUpperCase()} ${path}</code>.</p>
      </section>`;
}
