import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXAMPLE_URL } from '../../generated/server.ts';
import { document, webhookContract } from '../../scripts/contract/read.ts';
import { writeServedDocs } from '../../scripts/docs/served.ts';
import type { AccountProblem } from '../../server/domain/rides/standing.ts';
import { DAY_MS, HOUR_MS } from '../../server/domain/time.ts';
import { ACCOUNT_PATHS, CONSENT_PATHS, PORTAL_PATHS } from '../../server/links.ts';
import { noteConsent } from '../../server/store/consents.ts';
import { passengerAt } from '../account/support.ts';
import { atOwn, PAGES_OF_APPLICATION } from '../portal/applications-support.ts';
import { ACROSS_TOWN } from '../support/accepted-calls.ts';
import { holdRides } from '../support/change-ride.ts';
import { CITIES, type City } from '../support/cities.ts';
import { pathOfRequest, queryOfRequest } from '../support/consent.ts';
import { DOCS_ANCHORS } from '../support/docs-anchors.ts';
import { FAKE_DOCS } from '../support/fake-docs.ts';
import { anchorsInMarkdown, anchorsInPage, linksInMarkdown, linksInPage } from '../support/links-in.ts';
import { newApplication } from '../support/oauth.ts';
import { FERRY_BUILDING, tripBetween } from '../support/places.ts';
import { LIVE, type TestServer } from '../support/server.ts';
import { testServer } from '../support/started.ts';
import { advanceUntil, type Riding, requestRideOf, ridingOf } from '../support/take-ride.ts';
import { newVisitor, type View } from '../support/visitor.ts';

/*
 * Opens every link on the pages of a server, in its responses, in the Markdown files and in the contract, and checks
 * what all pages have in common. No request leaves this machine. For links to other sites, only the format is checked.
 */

/** More pages mean that the server generates links without end. */
const MOST_PAGES = 500;
/** Paths that a checkout does not have. */
const NOT_COMMITTED = /^(\.\.|dist|node_modules|data)(\/|$)/;
const DOCS = '/docs';
const PUBLIC_URL = 'https://rides.example';
const STEPS = ['pending', 'accepted', 'arrived', 'pickedUp', 'droppedOff'] as const;
/** The script of the copy buttons. */
const COPY = readFileSync('server/pages/copy.js', 'utf8');
const COPY_HASH = `'sha256-${createHash('sha256').update(COPY).digest('base64')}'`;
const MARKUP = `"><script>'&"<img src=x>`;

const docsFolder = mkdtempSync(join(tmpdir(), 'ridehail-links-'));
beforeAll(() => writeServedDocs(FAKE_DOCS, docsFolder));
afterAll(() => rmSync(docsFolder, { recursive: true }));

const settings = { withPages: true, docsFolder, rateLimitMultiplier: 1000 };
const development = testServer('sqlite', settings);
const without = { hasDemo: false, isDevelopment: false };
const production = testServer('sqlite', { ...settings, ...without, publicUrl: PUBLIC_URL });

interface Link {
  /** The page or file that has it. */
  readonly from: string;
  readonly url: URL;
}

interface Opened {
  readonly fault: string | null;
  readonly anchors: ReadonlySet<string>;
  readonly links: readonly Link[];
  readonly view: View;
}

/** Opens links of a server. Loads each page once. */
function opener({ baseUrl, parts }: TestServer, visitor = newVisitor(baseUrl)) {
  const { origin } = new URL(parts.publicUrl);
  const pages = new Map<string, Opened>();

  const load = async (path: string): Promise<Opened> => {
    const view = await visitor.open(path);
    const { status, markup, url, location } = view;
    const fault = status === 200 && location === null ? null : `is a ${status}`;
    expectLikeAllPages(view, parts.hasDemo);
    // the documentation has its headings only after a build
    if (url.pathname === DOCS) return { fault, anchors: new Set(DOCS_ANCHORS.keys()), links: [], view };
    const at = new URL(url.pathname + url.search, origin);
    const links = linksInPage(markup).map((link) => ({ from: url.pathname, url: new URL(link, at) }));
    return { fault, anchors: anchorsInPage(markup), links, view };
  };

  /** Returns the fault of a link, or null. */
  const faultOf = async ({ url }: Link): Promise<string | null> => {
    if (url.origin !== origin) return faultOfOtherSite(url);
    const path = url.pathname + url.search;
    if (!pages.has(path)) pages.set(path, await load(path));
    const { fault, anchors } = pages.get(path)!;
    if (fault !== null) return fault;
    return url.hash === '' || anchors.has(decodeURIComponent(url.hash.slice(1))) ? null : 'has an unknown anchor';
  };

  /** Follows links from page to page, and expects no faults. @returns the pages by path */
  const followAll = async (...starts: readonly string[]) => {
    const faults = new Set<string>();
    const links: Link[] = starts.map((start) => ({ from: 'the test', url: new URL(start, origin) }));
    const followed = new Set<string>();
    // also visits the links that the loop adds
    for (const link of links) {
      const fault = await faultOf(link);
      if (fault !== null) faults.add(`${link.from}: ${link.url} ${fault}`);
      const path = link.url.pathname + link.url.search;
      if (link.url.origin === origin && !followed.has(path)) links.push(...pages.get(path)!.links);
      followed.add(path);
      expect(pages.size).toBeLessThan(MOST_PAGES);
    }
    expect([...faults]).toEqual([]);
    return pages;
  };

  return { faultOf, followAll };
}

/** A link to another site must use https and a public name, and must not contain credentials. */
function faultOfOtherSite({ protocol, hostname, username, password, port, href }: URL): string | null {
  if (protocol !== 'https:' || port !== '') return 'is not https';
  if (username !== '' || password !== '') return 'has credentials';
  return /^https:\/\/([a-z\d-]+\.)+[a-z]{2,}\/[\x21-\x7e]*$/.test(href) ? null : `has no public name: ${hostname}`;
}

/** No page loads anything from elsewhere, runs another script than that of the copy buttons, or sends a referrer, and none with a form is stored or indexed. */
function expectLikeAllPages({ url: { pathname: at }, headers, markup, forms }: View, hasDemo: boolean): void {
  const [type, policy] = [headers.get('content-type'), headers.get('content-security-policy')];
  expect(headers.get('referrer-policy'), at).toBe('no-referrer');
  if (at === DOCS) return;
  // a page or a link can set its own policy
  expect(markup, at).not.toMatch(/referrer-?policy|name="?referrer/i);
  if (/\.(svg|ico)$/.test(at)) {
    expect(type, at).toBe('image/svg+xml; charset=utf-8');
    expect(markup, at).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="[\d ]+"/);
    expect(markup, at).not.toMatch(/<script|<foreignObject|\son\w+=|href=/);
    expect([headers.get('cross-origin-resource-policy'), policy], at).toEqual(['cross-origin', "default-src 'none'"]);
  }
  if (at.endsWith('/style.css')) expect(type).toBe('text/css; charset=utf-8');
  if (!type?.startsWith('text/html')) return;
  expect(markup, at).toMatch(/^<!doctype html>\s*<html lang="en">/i);
  expect(markup.match(/<title>[^<]+<\/title>/g), at).toHaveLength(1);
  expect(markup.match(/<main>|<h1>/g), at).toEqual(['<main>', '<h1>']);
  const isAllowed = policy!.endsWith(`; script-src ${COPY_HASH}`);
  expect(isAllowed || !policy!.includes('script'), at).toBe(true);
  expect(isAllowed ? markup.replace(`<script>${COPY}</script>`, '') : markup, at).not.toMatch(
    /<script|<iframe|<img src=x|<[^>]*(\son\w+=|\sstyle=|\ssrc="(https?:)?\/\/)/,
  );
  for (const rule of ["default-src 'none'", "frame-ancestors 'none'"]) expect(policy, at).toContain(rule);
  const hasForms = forms.length > 0;
  expect(policy, at).toContain(`form-action ${hasForms ? "'self'" : "'none'"}`);
  if (hasForms) expect(headers.get('cache-control'), at).toBe('no-store');
  if (hasForms) expect(markup, at).toContain('<meta name="robots" content="noindex">');
  // visitors of a production server have neither the project folder nor demo passengers
  if (!hasDemo) expect(markup, at).not.toMatch(/\bnpm\b|\bdemo\b/i);
}

describe.each([
  ['a development server', development],
  ['a production server', production],
])('on %s', (_, server) => {
  test('every link from the start page and the consent page works', async () => {
    await newApplication(server, 'planner');
    const asked = { client_id: 'planner' };
    const pages = await opener(server).followAll('/', pathOfRequest(asked));
    const consent = `${CONSENT_PATHS.signUp}?${queryOfRequest(asked)}`;
    const some = [DOCS, ACCOUNT_PATHS.overview, PORTAL_PATHS.overview, consent];
    expect([...pages.keys()]).toEqual(expect.arrayContaining(some));
  });
});

test('every link for a signed-in passenger works, and markup in names is shown as text', async () => {
  const passenger = await development.newPassenger(LIVE, { firstName: MARKUP, lastName: MARKUP });
  await newApplication(development, 'hostile');
  const named = development.store.db.updateTable('applications').set({ name: MARKUP });
  await named.where('id', '=', 'hostile').execute();
  await noteConsent(development.store.db, { passengerId: passenger.id, applicationId: 'hostile', at: 0 });
  const { overview, applications, signIn: _, signOut: __, ...sections } = ACCOUNT_PATHS;
  const visitor = await passengerAt(development, passenger, overview);
  const pages = await opener(development, visitor).followAll(overview, pathOfRequest({ client_id: 'hostile' }));
  expect([...pages.keys()]).toEqual(expect.arrayContaining(Object.values(sections)));
  for (const path of [overview, applications, pathOfRequest({ client_id: 'hostile' })]) {
    expect(pages.get(path)!.view.text).toContain(MARKUP);
  }
});

test('every link for a signed-in developer works, and markup in names and URIs is shown as text', async () => {
  const hostile = "https://app.example/'&quot;";
  const { visitor, path } = await atOwn(development, '', {
    ...{ name: MARKUP, redirectUris: [hostile], webhookUrl: hostile, sandboxWebhookUrl: hostile },
  });
  const pages = await opener(development, visitor).followAll(PORTAL_PATHS.overview);
  for (const page of PAGES_OF_APPLICATION) {
    const { markup, text } = pages.get(path + page)!.view;
    expect(markup, page).not.toMatch(/'&amp;|"&[gl]t;/);
    expect(text, page).toContain(MARKUP);
  }
});

describe('every link works', () => {
  const files = ['.', 'docs', 'docs/guides', 'docs/reference'].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.md'))
      .map((name) => normalize(join(folder, name))),
  );
  const texts = new Map([
    ['the contract', descriptionsIn(document)],
    ['the contract of webhooks', descriptionsIn(webhookContract)],
    ...files.map((file) => [file, readFileSync(file, 'utf8')] as const),
  ]);

  test.each([...texts])('in %s', async (from, text) => {
    const { faultOf } = opener(development);
    const faults: string[] = [];
    for (const link of new Set(linksInMarkdown(text))) {
      const isWhole = /^[a-z][a-z\d+.-]*:/i.test(link);
      const fault = isWhole ? await faultOf({ from, url: new URL(link) }) : faultInRepository(from, link);
      if (fault !== null) faults.push(`${link} ${fault}`);
    }
    expect(faults).toEqual([]);
  });

  test.each([
    ['README.md', 'docs/architecture.md', 'docs/guides/first-ride.md', 'docs/pictures/ride-dark.png'],
    ['docs/guides/webhooks.md', `${EXAMPLE_URL}/docs#tag/Webhooks`, 'first-ride.md#take-the-ride'],
    ['the contract', `${EXAMPLE_URL}/portal`, `${EXAMPLE_URL}/docs#section/Applications`],
    ['docs/limits.md', 'deploy.md#settings', '../server/operator/command-socket.ts', '#http'],
  ])('and the test finds the links in %s', (name, ...some) => {
    expect(linksInMarkdown(texts.get(name)!)).toEqual(expect.arrayContaining(some));
  });
});

/** Returns the descriptions in a contract. */
function descriptionsIn(value: unknown): string {
  if (typeof value !== 'object' || value === null) return '';
  const texts = Object.entries(value).map(([key, inner]) =>
    key === 'description' && typeof inner === 'string' ? inner : descriptionsIn(inner),
  );
  return texts.filter((text) => text !== '').join('\n\n');
}

/** Checks a link from a Markdown file to a file or folder, with or without an anchor. */
function faultInRepository(file: string, link: string): string | null {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? file : normalize(join(dirname(file), decodeURIComponent(path)));
  if (NOT_COMMITTED.test(target) || !existsSync(target)) return 'is not in the repository';
  if (anchor === undefined) return null;
  const isThere = target.endsWith('.md') && anchorsInMarkdown(readFileSync(target, 'utf8')).has(anchor);
  return isThere ? null : 'has an unknown anchor';
}

describe('in responses', () => {
  /** Keeps the pages that an earlier test has opened. */
  let followAll: ReturnType<typeof opener>['followAll'];
  beforeAll(() => {
    ({ followAll } = opener(production));
  });

  /** Returns every URL in a response, with the name of its field. */
  const urlsIn = (answer: unknown, field = ''): [field: string, url: string][] => {
    if (typeof answer === 'string') return /^\w+:\/\//.test(answer) ? [[field, answer]] : [];
    if (typeof answer !== 'object' || answer === null) return [];
    return Object.entries(answer).flatMap(([name, value]) => urlsIn(value, Array.isArray(answer) ? field : name));
  };
  /** Follows the links in responses, which all lead to this server. @returns the names of their fields */
  const followIn = async (answers: unknown) => {
    const urls = urlsIn(answers);
    expect(urls.filter(([, url]) => !url.startsWith(`${PUBLIC_URL}/`))).toEqual([]);
    await followAll(...urls.map(([, url]) => url));
    return new Set(urls.map(([field]) => field));
  };

  const requestIn = async ({ center, edge }: City): Promise<Riding> => {
    const world = await production.newWorld({ seed: 'links' });
    const rider = await production.newRider(world, { imageUrl: '/pictures/people/maya.svg' });
    const query = { ...tripBetween(center, edge), ride_type: 'svc' };
    const { data } = await rider.api.estimateCost({ params: { query } });
    const cost_token = data!.cost_estimates[0]!.cost_token!;
    return ridingOf(rider, world, await requestRideOf(rider, { origin: center, destination: edge, cost_token }));
  };

  /** Takes a ride through all its statuses. @returns the responses about the ride and its city */
  const answersAlong = async (city: City): Promise<unknown[]> => {
    const riding = await requestIn(city);
    const { api, params, world } = riding;
    const place = { params: { query: city.center } };
    const answers: unknown[] = [await api.listRideTypes(place), await api.estimateEta(place)];
    answers.push(await api.listDrivers(place), await api.listPickupEtas(place), await api.getProfile());
    for (const status of STEPS) {
      await advanceUntil(production, riding, status);
      const answer = await api.getRide({ params });
      expect(answer.data!.route_url, status).toContain(riding.rideId);
      answers.push(answer);
    }
    await api.rateRide({ params, body: { rating: 5 } });
    await production.advance(world, HOUR_MS);
    answers.push(await api.getReceipt({ params }), await api.getRide({ params }));
    answers.push(await api.listRides({ params: { query: { start_time: '2020-01-01T00:00:00Z' } } }));
    return answers.map((answer) => (answer as { data: unknown }).data);
  };

  test.each(CITIES)(
    'every link and picture in the responses of $name works, and so does every link on the linked pages',
    async (city) => {
      const answers = await answersAlong(city);
      expect(answers).not.toContain(undefined);
      expect(await followIn(answers)).toEqual(new Set(['image_url', 'pricing_details_url', 'route_url']));
    },
  );

  test('links and pictures of canceled and unknown rides work', async () => {
    const canceled = await requestIn(CITIES[0]!);
    await canceled.api.cancelRide({ params: canceled.params });
    const forgotten = await requestIn(CITIES[0]!);
    await advanceUntil(production, forgotten, 'accepted');
    await holdRides(production, forgotten.world);
    await production.advance(forgotten.world, DAY_MS);
    for (const [{ api, params }, status] of [
      [canceled, 'canceled'],
      [forgotten, 'unknown'],
    ] as const) {
      const { data } = await api.getRide({ params });
      const route_url = expect.stringContaining(params.path.ride_id);
      expect(data).toMatchObject({ status, route_url, pricing_details_url: expect.any(String) });
      await followIn(data);
    }
  });

  test.each([
    ['payment', { paymentMethod: null }],
    ['suspended', { accountDisabled: true }],
    ['driver-mode', { driverMode: true }],
    ['phone', { phoneVerified: false }],
  ] as const)('the account page in an error works: %s', async (problem: AccountProblem, traits) => {
    const { api } = await production.newRider(await production.newWorld(), traits);
    const { error } = await api.requestRide({ body: ACROSS_TOWN });
    const page = `${PUBLIC_URL}/account/${problem}`;
    expect(urlsIn(error)).toEqual([
      ['documentation_url', `${PUBLIC_URL}${DOCS}#tag/Errors/${error!.error}`],
      ['error_uri', page],
    ]);
    await followAll(page);
  });

  test('a deprecation links to the documentation', async () => {
    const { api } = await production.newRider(await production.newWorld());
    const body = { origin: FERRY_BUILDING, ride_type: 'svc', primetime_confirmation_token: 'old' };
    const { response } = await api.requestRide({ body });
    const [, target] = /^<([^>]+)>; rel="deprecation"/.exec(response.headers.get('link') ?? '') ?? [];
    expect(target).toBe(`${PUBLIC_URL}${DOCS}#section/Versions`);
    await followAll(target!);
  });
});

test('error pages, redirects and documents send no referrer either', async () => {
  for (const path of ['/nowhere', '/routes/live/none', '/account', '/account/payment', '/robots.txt']) {
    const { headers } = await fetch(production.baseUrl + path, { redirect: 'manual' });
    expect([path, headers.get('referrer-policy')]).toEqual([path, 'no-referrer']);
  }
});
