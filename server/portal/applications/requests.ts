import type { LoggedRequest } from '../../domain/logged-request.ts';
import { REQUEST_KEPT_MS } from '../../domain/logged-request.ts';
import { LIVE_WORLD } from '../../domain/worlds/live.ts';
import { piecesOfAKind } from '../../limits/in-turns.ts';
import { type Html, html, momentOf, NOTHING } from '../../pages/page.ts';
import type { Parts } from '../../parts.ts';
import { longWork } from '../../site/long-work.ts';
import {
  findRequests,
  MOST_REQUEST_SLOTS,
  type PlacedRequest,
  type RequestPlace,
} from '../../store/request-batches.ts';
import { ownPage, type PortalPage, type PortalVisit, pathOf } from '../page.ts';
import { requestDetail } from './request-detail.ts';
import { button, choiceField, textField } from './views.ts';

/** Requests on a page of the log of requests, and on the timeline of a ride. @beyond a link leads to older ones @heldBy tests/portal/requests.test.ts */
export const MOST_REQUESTS_SHOWN = 50;
/** Characters of the text that requests are searched for. @beyond the rest is ignored @heldBy tests/portal/requests.test.ts */
const MOST_SEARCH_CHARACTERS = 200;
/** Of all searches in the log of requests. */
export const nextTurnOfSearches = piecesOfAKind();
const WORLDS = { '': 'All', live: 'Live', sandbox: 'Sandboxes' };
const STATUSES = { '': 'All', '2xx': '2xx: success', '4xx': '4xx: rejected', '5xx': '5xx: server error' };

export function requestsPage(parts: Pick<Parts, 'store' | 'requestLog' | 'publicUrl'>): PortalPage {
  return ownPage(parts, {
    page: 'requests',
    show: async ({ id, name }, visit) => {
      const { query, account, visitor } = visit;
      const since = visitor.realNow - REQUEST_KEPT_MS;
      const of = { applicationId: id, developerId: account.id, since };
      const path = pathOf(id, 'requests');
      const one = placeIn(query.request);
      if (one !== null) return requestDetail(parts, of, one, path);
      const filter = filterIn(query);
      const before = placeIn(query.before);
      const search = { before, limit: MOST_REQUESTS_SHOWN, matches: matcher(filter), nextTurn: nextTurnOfSearches };
      const { found, next } = await longWork(visit, () => findRequests(parts.store.db, of, search));
      const to = (more: Readonly<Record<string, string>>) => `${path}?${new URLSearchParams({ ...filter, ...more })}`;
      return {
        title: `Requests of ${name}`,
        lead: html`The latest requests with the credentials of this application, up to ${MOST_REQUEST_SLOTS.toLocaleString('en')} of the last 24 hours.`,
        body: html`${parts.requestLog === null ? html`<p class="note">This server does not record requests at the moment.</p>` : NOTHING}
      ${filterForm(path, filter)}
      ${found.length === 0 ? html`<p>No ${before === null ? '' : 'older '}requests${isEmpty(filter) ? '' : ' match'}.</p>` : html`<ul class="log">${found.map((placed) => row(path, placed))}</ul>`}
      ${next === null ? NOTHING : html`<p><a href="${to({ before: textOf(next) })}">Older</a></p>`}
      ${before === null ? NOTHING : html`<p><a href="${to({})}">Latest</a></p>`}`,
      };
    },
  });
}

type Filter = Readonly<Record<'world' | 'status' | 'text', string>>;

function filterIn({ world, status, text }: PortalVisit['query']): Filter {
  const textIn = (sent: unknown) => (typeof sent === 'string' ? sent.trim().slice(0, MOST_SEARCH_CHARACTERS) : '');
  return { world: textIn(world), status: textIn(status), text: textIn(text) };
}

const isEmpty = (filter: Filter) => Object.values(filter).every((value) => value === '');

function matcher({ world, status, text }: Filter) {
  return (request: LoggedRequest): boolean =>
    (world === '' || (request.worldId === LIVE_WORLD.id) === (world === 'live')) &&
    (status === '' || `${request.status}`[0] === status[0]) &&
    (text === '' ||
      [request.id, request.error, request.worldId].includes(text) ||
      `${request.method} ${request.path}`.includes(text));
}

function filterForm(path: string, { world, status, text }: Filter): Html {
  const hint = 'Part of the method and the path, such as a ride ID. Or a whole request ID, error code or world ID.';
  return html`<form action="${path}">
      ${choiceField({ name: 'world', label: 'World', choices: WORLDS, value: world })}
      ${choiceField({ name: 'status', label: 'Status', choices: STATUSES, value: status })}
      ${textField({ name: 'text', label: 'Search', hint, value: text, isOptional: true })}
      ${button('Show', 'plain')}
    </form>`;
}

/** A link to a request, and its result. */
export function requestLine(path: string, { place, request }: PlacedRequest): Html {
  const { method, status, error } = request;
  const result = `${status ?? 'disconnected'}${error === null ? '' : ` ${error}`}`;
  return html`<a href="${path}?request=${textOf(place)}">${method} ${request.path}</a><br>
      ${result}`;
}

function row(path: string, placed: PlacedRequest): Html {
  const { at, ms, worldId } = placed.request;
  return html`<li>${requestLine(path, placed)} <span class="quiet">· ${ms} ms · ${worldId} · ${momentOf(at, 'medium')}</span></li>`;
}

function textOf({ number, index }: RequestPlace): string {
  return `${number}-${index}`;
}

/** Null unless the text is the place of a request. */
function placeIn(text: unknown): RequestPlace | null {
  const [, number, index] = (typeof text === 'string' && /^(\d{1,15})-(\d{1,6})$/.exec(text)) || [];
  return number === undefined ? null : { number: Number(number), index: Number(index) };
}
