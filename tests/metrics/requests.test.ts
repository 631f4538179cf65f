import { beforeEach, expect, test } from 'vitest';
import { OPERATIONS, SCENARIO } from '../../generated/server.ts';
import { simulatedFleet } from '../../server/domain/fleet/simulated-fleet.ts';
import { newLatch } from '../support/latch.ts';
import { FERRY_BUILDING } from '../support/places.ts';
import { rawCall } from '../support/raw-call.ts';
import { answerTo, lastHead } from '../support/raw-socket.ts';
import type { TestServer } from '../support/server.ts';
import { testServer } from '../support/started.ts';
import { until } from '../support/until.ts';
import { testMeter } from './support.ts';

/** The seed of a world whose fleet throws. */
const BROKEN = 'broken';
const REQUESTS = 'ridehail_http_requests_total';
const DURATIONS = 'ridehail_http_request_duration_seconds';

const { meter, counted, countedSince } = testMeter();
const server = testServer('sqlite', {
  meter,
  withPages: true,
  fleetOf: (seed) => {
    if (seed === BROKEN) throw new Error('The fleet is lost');
    return simulatedFleet(seed);
  },
});

let before: Record<string, number>;
beforeEach(async () => {
  before = await counted(REQUESTS);
});

/** The requests of the current test. Requests are counted when they end. */
const newlyCounted = () => countedSince(REQUESTS, before);

const tokenIn = async ({ newRider, newWorld }: TestServer, seed = 'sound') =>
  (await newRider(await newWorld({ seed }))).token;
const profile = (call: Parameters<typeof rawCall>[2]) => rawCall(server.baseUrl, 'getProfile', call);
const refused = async (code: string) => profile({ token: await tokenIn(server), headers: { [SCENARIO]: code } });
const query = `lat=${FERRY_BUILDING.lat}&lng=${FERRY_BUILDING.lng}`;
const etaIn = async (seed: string) =>
  rawCall(server.baseUrl, 'estimateEta', { token: await tokenIn(server, seed), query });
const raw = (method: string, path: string) => answerTo(server.baseUrl, lastHead(method, path));

test.each<[counted: string, what: string, send: () => Promise<unknown>]>([
  ['getProfile 200 none false', 'an answer', async () => profile({ token: await tokenIn(server) })],
  ['getProfile 401 invalid_token false', 'a refusal', () => profile({ token: 'wrong' })],
  [
    'getProfile 429 rate_limit_exceeded true',
    'a failure that a sandbox requested',
    () => refused('rate_limit_exceeded'),
  ],
  ['estimateEta 500 internal_error false', 'a server error', () => etaIn(BROKEN)],
  ['authorizeApplication 400 invalid_request false', 'a page', () => rawCall(server.baseUrl, 'authorizeApplication')],
  ['none 405 method_not_allowed false', 'an unknown method', () => raw('BREW', OPERATIONS.requestRide.path)],
  ['none 404 not_found false', 'an unknown path', () => raw('GET', '/0198a7c5-4b6e-7c3d-9a41-5f0e2d7b8c96')],
  ['none 200 none false', 'a page outside the contract', () => raw('GET', '/style.css')],
  ['none 400 bad_parameter false', 'an invalid request', () => answerTo(server.baseUrl, 'no request\r\n\r\n')],
])('%s: %s is counted once', async (series, _, send) => {
  await send();
  await until(async () => expect(await newlyCounted()).toEqual({ [series]: 1 }));
});

/** Counting a call never ends here, so the call gets no response. */
const begun = newLatch();
const slow = testServer('sqlite', {
  meter,
  countCall: () => {
    begun.open();
    return new Promise(() => {});
  },
});

test('a request whose client disconnects has no status', async () => {
  const hangUp = new AbortController();
  const { path } = OPERATIONS.getProfile;
  const headers = { Authorization: `Bearer ${await tokenIn(slow)}` };
  const call = fetch(slow.baseUrl + path, { headers, signal: hangUp.signal });
  await begun.promise;
  hangUp.abort();
  await expect(call).rejects.toThrow();
  await until(async () => expect(await newlyCounted()).toEqual({ 'getProfile aborted none false': 1 }));
});

test('a request counts in each duration bucket that is at least as long, and an unknown code counts as `other`', async () => {
  const { meter, counted } = testMeter();
  const ended = { operation: 'getRide', status: 500, code: 'made up', isSimulated: false } as const;
  for (const ms of [0, 7, 60_000]) meter.request({ ...ended, ms });
  const buckets = await counted(DURATIONS);
  expect(buckets).toMatchObject({ '0.001 getRide': 1, '0.005 getRide': 1, '0.01 getRide': 2, '+Inf getRide': 3 });
  expect(await counted(REQUESTS)).toEqual({ 'getRide 500 other false': 3 });
});
