import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AccountProblem } from '../../server/domain/rides/standing.ts';
import { DAY_MS, HOUR_MS } from '../../server/domain/time.ts';
import { DOCS_FOLDER } from '../../server/files.ts';
import { SERVED } from '../../server/pages/docs.ts';
import { ACROSS_TOWN } from '../support/accepted-calls.ts';
import { holdRides } from '../support/change-ride.ts';
import { CITIES, type City } from '../support/cities.ts';
import { linksInPage } from '../support/links-in.ts';
import { FERRY_BUILDING, tripBetween } from '../support/places.ts';
import { testServer } from '../support/started.ts';
import { advanceUntil, type Riding, requestRideOf, ridingOf } from '../support/take-ride.ts';

const STEPS = ['pending', 'accepted', 'arrived', 'pickedUp', 'droppedOff'] as const;
const PUBLIC_URL = 'https://rides.example';
const DOCS_PAGE = join(DOCS_FOLDER, SERVED.folder, SERVED.page);
const isPicture = (url: string) => /\.(svg|ico)$/.test(url);

/** A production server. */
const server = testServer('sqlite', {
  withPages: true,
  hasDemo: false,
  isDevelopment: false,
  publicUrl: PUBLIC_URL,
  rateLimitMultiplier: 100,
});

/** Opens a public URL at this server. */
async function open(url: string) {
  expect(url.startsWith(`${PUBLIC_URL}/`), url).toBe(true);
  const response = await fetch(server.baseUrl + url.slice(PUBLIC_URL.length));
  return { url, response, text: await response.text() };
}

/** Expects that a browser sends no referrer when it follows a link on the page. */
function expectNoReferer(url: string, { headers }: Response, text: string): void {
  expect(headers.get('referrer-policy'), url).toBe('no-referrer');
  // a page or a link can set its own policy
  expect(text, url).not.toMatch(/referrer-?policy|name="?referrer/i);
}

async function expectToOpen(url: string): Promise<string[]> {
  const { response, text } = await open(url);
  expect(response.status, url).toBe(200);
  expectNoReferer(url, response, text);
  const type = response.headers.get('content-type');
  if (isPicture(url)) {
    expect(type, url).toBe('image/svg+xml; charset=utf-8');
    expect(text, url).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="[\d ]+"/);
    expect(text, url).not.toMatch(/<script|<foreignObject|\son\w+=|href=/);
    expect(response.headers.get('cross-origin-resource-policy'), url).toBe('cross-origin');
    expect(response.headers.get('content-security-policy'), url).toBe("default-src 'none'");
    return [];
  }
  if (url.endsWith('/style.css')) expect(type).toBe('text/css; charset=utf-8');
  if (!type?.startsWith('text/html')) return [];
  expect(text, url).toMatch(/^<!doctype html>\s*<html lang="en">/i);
  expect(text.match(/<title>[^<]+<\/title>/g), url).toHaveLength(1);
  expect(text.match(/<main>|<h1>/g), url).toEqual(['<main>', '<h1>']);
  expect(text, url).not.toMatch(/<script|<iframe|\son\w+=|\sstyle=|(src|href)="(https?:)?\/\//);
  // visitors of a production server have neither the project folder nor demo passengers
  expect(text, url).not.toMatch(/\bnpm\b|\bdemo\b/i);
  expect(response.headers.get('content-security-policy'), url).toContain("default-src 'none'");
  return linksInPage(text).map((link) => new URL(link, url).href);
}

/** The URLs that an earlier test has opened. */
const opened = new Set<string>();

/** Opens URLs and follows the links from page to page. */
async function expectAllToOpen(urls: readonly string[]): Promise<void> {
  const known = new Set(urls);
  // tests/browser covers the documentation, which exists only after a build
  const isOurs = (url: string) => !/\/docs($|#)/.test(url);
  for (const url of known) {
    if (opened.has(url)) continue;
    for (const link of (await expectToOpen(url)).filter(isOurs)) known.add(link);
    opened.add(url);
  }
}

/** Returns every URL in a response, with the name of its field. */
function urlsIn(answer: unknown, field = ''): [field: string, url: string][] {
  if (typeof answer === 'string') return /^\w+:\/\//.test(answer) ? [[field, answer]] : [];
  if (typeof answer !== 'object' || answer === null) return [];
  return Object.entries(answer).flatMap(([name, value]) => urlsIn(value, Array.isArray(answer) ? field : name));
}

async function requestIn({ center, edge }: City): Promise<Riding> {
  const world = await server.newWorld({ seed: 'links' });
  const rider = await server.newRider(world, { imageUrl: '/pictures/people/maya.svg' });
  const query = { ...tripBetween(center, edge), ride_type: 'svc' };
  const { data } = await rider.api.estimateCost({ params: { query } });
  const cost_token = data!.cost_estimates[0]!.cost_token!;
  return ridingOf(rider, world, await requestRideOf(rider, { origin: center, destination: edge, cost_token }));
}

/** Takes a ride through all its statuses. @returns the responses about the ride and its city */
async function answersAlong(city: City): Promise<unknown[]> {
  const riding = await requestIn(city);
  const { api, params, world } = riding;
  const place = { params: { query: city.center } };
  const answers: unknown[] = [await api.listRideTypes(place), await api.estimateEta(place)];
  answers.push(await api.listDrivers(place), await api.listPickupEtas(place), await api.getProfile());
  for (const status of STEPS) {
    await advanceUntil(server, riding, status);
    const answer = await api.getRide({ params });
    expect(answer.data!.route_url, status).toContain(riding.rideId);
    answers.push(answer);
  }
  await api.rateRide({ params, body: { rating: 5 } });
  await server.advance(world, HOUR_MS);
  answers.push(await api.getReceipt({ params }), await api.getRide({ params }));
  answers.push(await api.listRides({ params: { query: { start_time: '2020-01-01T00:00:00Z' } } }));
  return answers.map((answer) => (answer as { data: unknown }).data);
}

test('error pages, redirects and documents send no referrer either', async () => {
  for (const path of ['/nowhere', '/routes/live/none', '/account', '/account/payment', '/', '/docs', '/robots.txt']) {
    const response = await fetch(server.baseUrl + path, { headers: { Accept: 'text/html' }, redirect: 'manual' });
    const markup = path === '/docs' ? '' : await response.text();
    expectNoReferer(path, response, markup);
  }
});

test.each(CITIES)(
  'every link and picture in the responses of $name works, and so does every link on the linked pages',
  async (city) => {
    const answers = await answersAlong(city);
    expect(answers).not.toContain(undefined);
    const urls = answers.flatMap((answer) => urlsIn(answer));
    expect(new Set(urls.map(([field]) => field))).toEqual(new Set(['image_url', 'pricing_details_url', 'route_url']));
    await expectAllToOpen(urls.map(([, url]) => url));
  },
);

test('links and pictures of canceled and unknown rides work', async () => {
  const canceled = await requestIn(CITIES[0]!);
  await canceled.api.cancelRide({ params: canceled.params });
  const forgotten = await requestIn(CITIES[0]!);
  await advanceUntil(server, forgotten, 'accepted');
  await holdRides(server, forgotten.world);
  await server.advance(forgotten.world, DAY_MS);
  for (const [{ api, params }, status] of [
    [canceled, 'canceled'],
    [forgotten, 'unknown'],
  ] as const) {
    const { data } = await api.getRide({ params });
    const route_url = expect.stringContaining(params.path.ride_id);
    expect(data).toMatchObject({ status, route_url, pricing_details_url: expect.any(String) });
    await expectAllToOpen(urlsIn(data).map(([, url]) => url));
  }
});

test.each([
  ['payment', { paymentMethod: null }],
  ['suspended', { accountDisabled: true }],
  ['driver-mode', { driverMode: true }],
  ['phone', { phoneVerified: false }],
] as const)('the account page in an error works: %s', async (problem: AccountProblem, traits) => {
  const { api } = await server.newRider(await server.newWorld(), traits);
  const { error } = await api.requestRide({ body: ACROSS_TOWN });
  const page = `${PUBLIC_URL}/account/${problem}`;
  expect(urlsIn(error)).toEqual([
    ['documentation_url', `${PUBLIC_URL}/docs#tag/Errors/${error!.error}`],
    ['error_uri', page],
  ]);
  await expectAllToOpen([page]);
});

test.skipIf(!existsSync(DOCS_PAGE))('a deprecation links to the documentation', async () => {
  const { api } = await server.newRider(await server.newWorld());
  const body = { origin: FERRY_BUILDING, ride_type: 'svc', primetime_confirmation_token: 'old' };
  const { response } = await api.requestRide({ body });
  const [, target] = /^<([^>]+)>; rel="deprecation"/.exec(response.headers.get('link') ?? '') ?? [];
  expect(new URL(target!).hash).toBe('#section/Versions');
  const { status, headers } = (await open(target!.replace(/#.*/, ''))).response;
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
});
