import { type RequestHandler, Router } from 'express';
import { OPERATIONS, type RedirectError, SCOPES } from '../../generated/server.ts';
import { DEMO, DEMO_PASSENGERS, demoRedirectUri } from '../demo.ts';
import type { Parts } from '../parts.ts';
import { answerPage, refuseMethod } from './answer.ts';
import { type Html, html, NOTHING } from './html.ts';
import type { Page } from './layout.ts';

/** What an application receives after an authorization request (RFC 6749, sections 4.1.2 and 4.1.2.1). */
interface Arrival {
  readonly code?: string;
  readonly state?: string;
  readonly error?: string;
  readonly error_description?: string;
}

/** Safe inside shell quotes. Every code of this server matches. */
const PASTEABLE_CODE = /^[\w-]+$/;

const MEANINGS: Readonly<Record<RedirectError, string>> = {
  access_denied: 'The passenger does not allow it. Respect that, and ask again only when they begin.',
  invalid_request: 'A parameter is missing, wrong or there twice. The description names it.',
  invalid_scope: 'A scope was asked for that cannot be given.',
  unsupported_response_type: 'The response_type must be code.',
};

/** The page at the demo application's redirect URI, only on a development server. */
export function demoRouter({ publicUrl }: Pick<Parts, 'publicUrl'>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const show: RequestHandler = (req, res) => {
    const texts = Object.entries(req.query).filter(([, value]) => typeof value === 'string');
    answerPage(res, demoCallbackPage(Object.fromEntries(texts), publicUrl));
  };
  router.route(demoRedirectUri('')).get(show).all(refuseMethod);
  return router;
}

export function demoCallbackPage(arrival: Arrival, publicUrl: string): Page {
  // the address holds a code, so caches must not keep the page
  const page = { isPrivate: true };
  if (arrival.error !== undefined) return { ...page, ...failed(arrival, arrival.error, publicUrl) };
  if (arrival.code !== undefined) return { ...page, ...allowed(arrival, arrival.code, publicUrl) };
  return { ...page, ...atFirst(publicUrl) };
}

function allowed({ state }: Arrival, code: string, publicUrl: string): Page {
  return {
    title: 'Access was allowed',
    lead: html`This page stands in for your application: with this code it gets a token that acts for the passenger.`,
    body: html`
      ${received([
        ['code', code],
        ['state', state],
      ])}
      <section aria-labelledby="trade">
        <h2 id="trade">Trade it for a token</h2>
        <p>First compare <code>state</code> with what you sent: another one means that this code is not meant for you.</p>
        ${PASTEABLE_CODE.test(code) ? trade(code, publicUrl) : html`<p>This is no code of this server, so there is nothing to trade.</p>`}
      </section>
      ${again(publicUrl)}`,
  };
}

function trade(code: string, publicUrl: string): Html {
  const command = [
    `curl -s -u ${quoted(`${DEMO.clientId}:${DEMO.clientSecret}`)} \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d ${quoted(JSON.stringify({ grant_type: 'authorization_code', code }))} \\`,
    `  ${quoted(publicUrl + OPERATIONS.createToken.path)}`,
  ];
  return html`<pre tabindex="0" aria-labelledby="trade"><code>${command.join('\n')}</code></pre>
        <p>The code is good for ten minutes, and once. If you asked with a <code>code_challenge</code>, add its <code>code_verifier</code> to the
        body. With the secret <code>${DEMO.sandboxClientSecret}</code> the token acts in the sandbox instead of the live world.</p>`;
}

function failed({ state, error_description }: Arrival, error: string, publicUrl: string): Page {
  const meaning = isKnown(error) ? MEANINGS[error] : 'This server gives no such error.';
  return {
    title: error === 'access_denied' ? 'Access was denied' : 'Access could not be asked for',
    lead: html`${meaning}`,
    body: html`
      ${received([
        ['error', error],
        ['error_description', error_description],
        ['state', state],
      ])}
      ${again(publicUrl)}`,
  };
}

function isKnown(error: string): error is RedirectError {
  return Object.hasOwn(MEANINGS, error);
}

function atFirst(publicUrl: string): Page {
  const url = exampleUrl(publicUrl);
  return {
    title: 'The demo application',
    lead: html`Passengers come back to this page after they were asked for access, with a code or an error.`,
    body: html`
      <section aria-labelledby="begin">
        <h2 id="begin">Begin</h2>
        <p>${exampleLink(url, 'Ask for access')} as a passenger would see it. The password of ${DEMO_PASSENGERS[0]!.email} and of
        the other demo passengers is <code>${DEMO.password}</code>.</p>
        <pre tabindex="0" aria-labelledby="begin"><code>${url}</code></pre>
      </section>`,
  };
}

function again(publicUrl: string): Html {
  return html`<p>${exampleLink(exampleUrl(publicUrl), 'Ask for access again')}</p>`;
}

function exampleLink(url: string, text: string): Html {
  return html`<a href="${url}">${text}</a>`;
}

function exampleUrl(publicUrl: string): string {
  const query = new URLSearchParams({
    client_id: DEMO.clientId,
    response_type: 'code',
    scope: SCOPES.userToken.join(' '),
    state: 'example',
  });
  return `${publicUrl}${OPERATIONS.authorizeApplication.path}?${query}`;
}

function received(parameters: ReadonlyArray<readonly [name: string, value: string | undefined]>): Html {
  const rows = parameters.map(([name, value]) =>
    value === undefined ? NOTHING : html`<div><dt>${name}</dt><dd><code>${value}</code></dd></div>`,
  );
  return html`<dl>${rows}</dl>`;
}

/** Quotes one word for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
