import { type RequestHandler, Router } from 'express';
import { OPERATIONS, type RedirectError, SCOPES } from '../../generated/server.ts';
import { DEMO, DEMO_PASSENGERS, demoRedirectUri } from '../demo.ts';
import { own } from '../domain/own.ts';
import type { Parts } from '../parts.ts';
import { answerPage, type Html, html, NOTHING, type Page, refuseMethod, section } from './page.ts';

/** The parameters of an authorization response (RFC 6749, sections 4.1.2 and 4.1.2.1). */
type Arrival = Readonly<Partial<Record<'code' | 'state' | 'error' | 'error_description', string>>>;

/** Safe inside shell quotes. All codes from this server match. */
const PASTEABLE_CODE = /^[\w-]+$/;

const MEANINGS: Readonly<Record<RedirectError, string>> = {
  access_denied: 'The passenger denied access. Ask again only after they start over in your application.',
  invalid_request: 'A parameter is missing, invalid or repeated. See error_description.',
  invalid_scope: 'A requested scope isn’t available.',
  unsupported_response_type: 'The response_type must be code.',
};

/** The page at the demo application's redirect URI. Development servers only. */
export function demoRouter({ publicUrl }: Pick<Parts, 'publicUrl'>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const show: RequestHandler = (req, res) => {
    const texts = Object.entries(req.query).filter(([, value]) => typeof value === 'string');
    answerPage(res, demoCallbackPage(Object.fromEntries(texts), publicUrl));
  };
  router.route(demoRedirectUri('')).get(show).all(refuseMethod);
  return router;
}

function demoCallbackPage(arrival: Arrival, publicUrl: string): Page {
  // the URL contains a code, so caches must not store the page
  const page = { isPrivate: true };
  if (arrival.error !== undefined) return { ...page, ...failed(arrival, arrival.error, publicUrl) };
  if (arrival.code !== undefined) return { ...page, ...allowed(arrival, arrival.code, publicUrl) };
  return { ...page, ...atFirst(publicUrl) };
}

function allowed({ state }: Arrival, code: string, publicUrl: string): Page {
  const body = html`<p>First, check that <code>state</code> matches the value you sent. If it doesn’t, reject the code.</p>
        ${PASTEABLE_CODE.test(code) ? trade(code, publicUrl) : html`<p>This server didn’t issue this code, so you can’t exchange it.</p>`}`;
  return {
    title: 'Access allowed',
    lead: html`This page stands in for your application. Your application exchanges this code for the passenger’s access token.`,
    body: html`
      ${received({ code, state })}
      ${section('trade', 'Exchange the code for a token', body)}
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
  return html`<pre aria-labelledby="trade"><code>${command.join('\n')}</code></pre>
        <p>Use the code once, within ten minutes. If you sent a <code>code_challenge</code>, add its <code>code_verifier</code> to the
        body. For a sandbox token, use the client secret <code>${DEMO.sandboxClientSecret}</code>.</p>`;
}

function failed({ state, error_description }: Arrival, error: string, publicUrl: string): Page {
  const meaning = own<string>(MEANINGS, error) ?? 'This server doesn’t return this error.';
  return {
    title: error === 'access_denied' ? 'Access denied' : 'Authorization failed',
    lead: html`${meaning}`,
    body: html`
      ${received({ error, error_description, state })}
      ${again(publicUrl)}`,
  };
}

function atFirst(publicUrl: string): Page {
  const url = exampleUrl(publicUrl);
  return {
    title: 'Demo application',
    lead: html`Passengers return to this page with a code or an error after they allow or deny access.`,
    body: section(
      'begin',
      'Try it',
      html`<p><a href="${url}">Request access</a> to see the consent page as a passenger. Sign in as ${DEMO_PASSENGERS[0]!.email} or another
        demo passenger with the password <code>${DEMO.password}</code>.</p>
        <pre aria-labelledby="begin"><code>${url}</code></pre>`,
    ),
  };
}

function again(publicUrl: string): Html {
  return html`<p><a href="${exampleUrl(publicUrl)}">Request access again</a></p>`;
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

function received(parameters: Arrival): Html {
  const rows = Object.entries(parameters).map(([name, value]: [string, string | undefined]) =>
    value === undefined ? NOTHING : html`<div><dt>${name}</dt><dd><code>${value}</code></dd></div>`,
  );
  return html`<dl>${rows}</dl>`;
}

/** Quotes one word for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
