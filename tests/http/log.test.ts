import { connect } from 'node:net';
import { Router } from 'express';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { OPERATIONS, SCENARIO } from '../../generated/server.ts';
import { routersBeside } from '../../server/app.ts';
import { simulatedFleet } from '../../server/domain/fleet/simulated-fleet.ts';
import { Refusal } from '../../server/domain/refusal.ts';
import { StaleVersion } from '../../server/store/transaction.ts';
import { testMeter } from '../metrics/support.ts';
import { failure, rawAnswerOf } from '../support/answers.ts';
import { newLatch } from '../support/latch.ts';
import { newGrant } from '../support/oauth.ts';
import { FERRY_BUILDING } from '../support/places.ts';
import { rawCall } from '../support/raw-call.ts';
import { answerTo, HOST, lastHead } from '../support/raw-socket.ts';
import type { TestServer } from '../support/server.ts';
import { testServer } from '../support/started.ts';
import { until } from '../support/until.ts';
import { serveWith } from './support/added-routers.ts';
import { startServerOfHandlers } from './support/server-of-handlers.ts';

const lines: string[] = [];
const { meter, counted, countedSince } = testMeter();
const parts = { logger: pino({ level: 'trace' }, { write: (line) => void lines.push(line) }), meter };
/** The seed of a world whose fleet throws. */
const BROKEN = 'broken';
const AS_ERROR = `"level":${pino.levels.values.error},`;

const server = testServer('sqlite', {
  ...parts,
  fleetOf: (seed) => {
    if (seed === BROKEN) throw new Error('The fleet is lost');
    return simulatedFleet(seed);
  },
});

const proxied = testServer('sqlite', { ...parts, trustedProxies: 'loopback' });

/** What `work` returns, and the log lines and counts of its request. */
async function watch<T>(work: () => Promise<T>) {
  const from = lines.length;
  const before = await counted('ridehail_http_requests_total');
  const result = await work();
  // the server logs a request after it has sent the response
  while (!lines.slice(from).some((line) => line.includes('"status"'))) await new Promise(setImmediate);
  const counts = await countedSince('ridehail_http_requests_total', before);
  return { result, log: lines.slice(from).join(''), counts };
}

const linesOf = (log: string) =>
  log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** Could be a ride ID, or a token that someone put into a path. */
const TYPED = '0198a7c5-4b6e-7c3d-9a41-5f0e2d7b8c96';

const { path: RIDE } = OPERATIONS.getRide;
const { path: PROFILE } = OPERATIONS.getProfile;
const { path: AUTHORIZE } = OPERATIONS.authorizeApplication;

type Row = [method: string, target: string, route: string | null, counts: string];
const unrouted = (target: string): Row => ['GET', target, null, 'none 404 not_found'];

test.each<Row>([
  ['GET', RIDE, RIDE, 'getRide 401 invalid_token'],
  ['HEAD', RIDE, RIDE, 'getRide 401 invalid_token'],
  ['POST', RIDE, RIDE, 'none 405 method_not_allowed'],
  ['BREW', RIDE, RIDE, 'none 405 method_not_allowed'],
  ['PUT', OPERATIONS.rateRide.path, OPERATIONS.rateRide.path, 'rateRide 401 invalid_token'],
  ['POST', OPERATIONS.resendEvent.path, OPERATIONS.resendEvent.path, 'resendEvent 401 invalid_token'],
  ['GET', `${AUTHORIZE}?state={token}`, AUTHORIZE, 'authorizeApplication 400 invalid_request'],
  ['GET', '/routes/{world}/{ride}', '/routes/{world}/{ride}', 'none 404 none'],
  ['DELETE', '/routes/{world}/{ride}', '/routes/{world}/{ride}', 'none 405 method_not_allowed'],
  ['GET', '/pictures/people/{id}.svg', '/pictures/people/{id}.svg', 'none 200 none'],
  ['GET', '/account/{problem}', '/account/{problem}', 'none 404 none'],
  ['GET', '/account', '/account', 'none 303 none'],
  ['GET', `${PROFILE}?{token}`, PROFILE, 'getProfile 401 invalid_token'],
  ['GET', `http://maya:{token}@localhost${PROFILE}`, PROFILE, 'getProfile 401 invalid_token'],
  ['GET', `${PROFILE} {token}`, null, 'none 400 bad_parameter'],
  ...['/{token}', `${RIDE}/`, `${OPERATIONS.revokeToken.path}/{token}`, `ftp://{token}${PROFILE}`, '*{token}'].map(
    unrouted,
  ),
  ...[`${PROFILE}#{token}`, `${PROFILE};{token}`, `${PROFILE}%3Ftoken={token}`].map(unrouted),
])(
  '%s %s is one line with its id, the route %s and its status, no more of the path, and is counted as %s',
  async (...row) => {
    const [method, target, route, series] = row;
    const baseUrl = await serveWith(server.parts, routersBeside(server.parts));
    const head = lastHead(method, target.replace(/\{\w+\}/g, TYPED));
    const { result, log, counts } = await watch(() => answerTo(baseUrl, head));
    expect(log).not.toContain(TYPED);
    const { status, headers } = result;
    const req = expect.objectContaining({ id: headers.get('x-request-id') });
    expect(linesOf(log)).toEqual([expect.objectContaining({ req, route, res: { status } })]);
    expect(counts).toEqual({ [`${series} false`]: 1 });
  },
);

test.each([
  ['a UUID', '5f0c2a4e-1f5b-4a57-9d0e-7a3f1c8b2d64', true],
  ['the maximum length', 'a'.repeat(64), true],
  ['dots and underscores', 'a.b_c', true],
  ['one character too many', 'a'.repeat(65), false],
  ['a space', 'a b', false],
  ['quotation marks', 'a","level":60,"b":"', false],
  ['URL punctuation', 'https://maya:secret@example.com', false],
  ['an empty string', '', false],
  ['two of them', 'a\r\nX-Request-Id: b', false],
])('the log has a valid request ID of a trusted proxy in addition to its own: %s', async (_, sent, isValid) => {
  expect(await idsOf(proxied, sent)).toEqual(isValid ? { proxyId: sent } : {});
});

test('a request ID from an untrusted client is ignored', async () => {
  expect(await idsOf(server, 'a')).toEqual({});
});

test('a call that succeeded behind an unfinished one has its line even if its client leaves', async () => {
  const { promise, open } = newLatch();
  const work = vi.fn(async () => {}).mockReturnValueOnce(promise);
  const on = await startServerOfHandlers(server.parts, work);
  onTestFinished(on.close);
  const token = await server.newToken({ world: await server.newWorld() });
  const { path } = OPERATIONS.createWorld;
  const call = `POST ${path} HTTP/1.1\r\n${HOST}Authorization: Bearer ${token}\r\nContent-Length: 0\r\n\r\n`;
  const aborted = () => lines.filter((line) => line.includes('request aborted'));
  const before = aborted().length;
  const client = connect(Number(new URL(on.baseUrl).port), '127.0.0.1', () => client.write(call.repeat(2)));
  await until(() => expect(work).toHaveBeenCalledTimes(2));
  client.resetAndDestroy();
  await until(() => expect(aborted()).toHaveLength(before + 2));
  open();
});

/** What the log has in addition to the method and the request ID of the server, which the response also has. */
async function idsOf({ baseUrl }: TestServer, sent: string): Promise<object> {
  const head = lastHead('GET', PROFILE, [`X-Request-Id: ${sent}`]);
  const { result, log } = await watch(() => answerTo(baseUrl, head));
  const { headers } = result;
  const { id, method, ...others } = linesOf(log).at(-1).req;
  expect([id, method]).toEqual([headers.get('x-request-id'), 'GET']);
  expect(id).toMatch(/^[\da-f-]{36}$/);
  expect(id).not.toBe(sent);
  return others;
}

test('a server error is a 500 without details, and the log has the cause without the token', async () => {
  const { accessToken } = await newGrant(server);
  const { token } = await server.newRider(await server.newWorld({ seed: BROKEN }));
  const query = `lat=${FERRY_BUILDING.lat}&lng=${FERRY_BUILDING.lng}`;
  const { result, log, counts } = await watch(async () =>
    rawAnswerOf(await rawCall(server.baseUrl, 'estimateEta', { token, query })),
  );
  expect(result).toEqual(failure(500, 'internal_error'));
  expect(JSON.stringify(result)).not.toContain('fleet');
  expect(log).toContain('The fleet is lost');
  expect(log).toContain(AS_ERROR);
  for (const secret of [token, accessToken]) expect(log).not.toContain(secret);
  expect(counts).toEqual({ 'estimateEta 500 internal_error false': 1 });
});

test('a request that loses to too many others, or that comes among too many, is not logged as an error', async () => {
  const router = Router();
  const thrown = [new StaleVersion('a ride'), new Refusal('temporarily_unavailable', 'Too many people sign in.')];
  router.get('/lost', () => {
    throw thrown.pop();
  });
  const baseUrl = await serveWith(server.parts, [router]);
  while (thrown.length > 0) {
    const { result, log } = await watch(() => fetch(`${baseUrl}/lost`));
    expect(result.status).toBe(503);
    expect(log).not.toContain(AS_ERROR);
  }
});

test('an error that a sandbox requests by name is not logged as an error, and is counted as requested', async () => {
  const { token } = await server.newRider(await server.newWorld());
  for (const [scenario, series] of [
    [{}, '200 none false'],
    [{ [SCENARIO]: 'internal_error' }, '500 internal_error true'],
    [{ [SCENARIO]: 'temporarily_unavailable' }, '503 temporarily_unavailable true'],
  ] as const) {
    const { log, counts } = await watch(() => rawCall(server.baseUrl, 'getProfile', { token, headers: scenario }));
    expect(log).not.toContain(AS_ERROR);
    expect(counts).toEqual({ [`getProfile ${series}`]: 1 });
  }
});

/** Counting a call never ends here, so the call gets no response. */
const begun = newLatch();
const countCall = () => {
  begun.open();
  return new Promise<never>(() => {});
};
const slow = testServer('sqlite', { ...parts, countCall });

test('a request whose client disconnects is logged as aborted, and is counted without a status', async () => {
  const hangUp = new AbortController();
  const { token } = await slow.newRider(await slow.newWorld());
  const { log, counts } = await watch(async () => {
    const call = rawCall(slow.baseUrl, 'getProfile', { token, signal: hangUp.signal });
    await begun.promise;
    hangUp.abort();
    await expect(call).rejects.toThrow('aborted');
  });
  expect(linesOf(log)).toEqual([expect.objectContaining({ msg: 'request aborted' })]);
  expect(counts).toEqual({ 'getProfile aborted none false': 1 });
});
