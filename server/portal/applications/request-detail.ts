import { SCENARIO } from '../../../generated/server.ts';
import type { LoggedRequest } from '../../domain/logged-request.ts';
import { LIVE_WORLD } from '../../domain/worlds/live.ts';
import { type Html, html, momentOf, NOTHING } from '../../pages/page.ts';
import type { Parts } from '../../parts.ts';
import { nothingHere } from '../../site/router.ts';
import type { Content } from '../../site/site.ts';
import { type Readable, type RequestPlace, requestAt } from '../../store/request-batches.ts';
import { facts, literal } from './views.ts';

/** How curl is told the methods without a body. */
const WAYS = new Map([
  ['GET', ''],
  ['HEAD', ' --head'],
]);

/** One request with its bodies, and how to send it again. @param path of the list */
export async function requestDetail(
  { store, publicUrl }: Pick<Parts, 'store' | 'publicUrl'>,
  of: Readable,
  place: RequestPlace,
  path: string,
): Promise<Content> {
  const found = await requestAt(store.db, of, place);
  if (found === undefined) throw nothingHere();
  const { request, bodies } = found;
  const { id, at, ms, status, error, scopes, worldId, scenario } = request;
  const [sent, answer] = bodies;
  const isWhole = sent === null ? WAYS.has(request.method) : jsonIn(sent) !== null;
  const isLive = worldId === LIVE_WORLD.id;
  return {
    title: `${request.method} request`,
    lead: html`${literal(request.path)}`,
    body: html`${facts([
      ['Request ID', literal(id)],
      ['Time', momentOf(at, 'medium')],
      ['Status', html`${status ?? 'none: the client disconnected'}`],
      ['Error code', html`${error ?? 'none'}`],
      ['Duration', html`${ms} ms`],
      ['World', literal(worldId)],
      ['Scopes of the token', html`${scopes?.join(' ') ?? 'none: the request had a secret'}`],
      ...(scenario === null ? [] : [['Failure that it asked for', literal(scenario)] as const]),
    ])}
      ${isLive ? html`<p class="quiet">Of live requests, we keep no bodies, and coordinates only with two decimals.</p>` : NOTHING}
      ${bodyOf('request-body', 'Request body', sent)}
      ${bodyOf('response-body', 'Response body', answer)}
      <h2 id="curl">Copy as curl</h2>
      <p class="quiet">${isWhole ? '' : 'Without the body, which we do not have. '}Set the variables to your own token or secrets first: we keep none.</p>
      <pre aria-labelledby="curl"><code>${curlOf(request, sent, publicUrl)}</code></pre>
      <p><a href="${path}">All requests</a></p>`,
  };
}

function bodyOf(id: string, title: string, text: string | null): Html {
  if (text === null) return NOTHING;
  const value = jsonIn(text);
  return html`<h2 id="${id}">${title}</h2>
      ${value === null ? html`<p class="quiet">Only its beginning.</p>` : NOTHING}
      <pre aria-labelledby="${id}"><code>${value === null ? text : JSON.stringify(value, null, 2)}</code></pre>`;
}

/** Null for a body that was cut off. Whole ones are objects. */
function jsonIn(text: string): object | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A command for a POSIX shell. The secrets in it are variables, also those in the body: see masked. */
export function curlOf(
  { method, path, scopes, scenario }: Pick<LoggedRequest, 'method' | 'path' | 'scopes' | 'scenario'>,
  body: string | null,
  publicUrl: string,
): string {
  // otherwise, curl reads these characters as a pattern
  const url = publicUrl + path.replace(/[[\]{}]/g, encodeURIComponent);
  const withBody = body !== null && jsonIn(body) !== null;
  const parts = [
    `curl${WAYS.get(method) ?? ` --request ${method}`} ${quoted(url)}`,
    scopes === null
      ? '--user "$RIDEHAIL_CLIENT_ID:$RIDEHAIL_CLIENT_SECRET"'
      : '--header "Authorization: Bearer $RIDEHAIL_TOKEN"',
    ...(scenario === null ? [] : [`--header ${quoted(`${SCENARIO}: ${scenario}`)}`]),
    // the form bodies of OAuth are accepted as JSON too
    ...(withBody ? ["--header 'Content-Type: application/json'", `--data ${withVariables(quoted(body.trim()))}`] : []),
  ];
  return parts.join(' \\\n  ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function withVariables(text: string): string {
  return text.replaceAll(/\$RIDEHAIL_[A-Z_]+/g, `'"$&"'`);
}
