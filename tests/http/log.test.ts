import { pino } from 'pino';
import { expect, test } from 'vitest';
import { OPERATIONS, SCENARIO } from '../../generated/server.ts';
import { routersBeside } from '../../server/app.ts';
import { simulatedFleet } from '../../server/domain/fleet/simulated-fleet.ts';
import { failure, rawAnswerOf } from '../support/answers.ts';
import { newGrant } from '../support/oauth.ts';
import { FERRY_BUILDING } from '../support/places.ts';
import { rawCall } from '../support/raw-call.ts';
import { answerTo, lastHead } from '../support/raw-socket.ts';
import type { TestServer } from '../support/server.ts';
import { testServer } from '../support/started.ts';
import { serveWith } from './support/added-routers.ts';

const lines: string[] = [];
const sink = { write: (line: string) => void lines.push(line) };
/** The seed of a world whose fleet throws. */
const BROKEN = 'broken';
const AS_ERROR = `"level":${pino.levels.values.error},`;

const server = testServer('sqlite', {
  logger: pino({ level: 'trace' }, sink),
  fleetOf: (seed) => {
    if (seed === BROKEN) throw new Error('The fleet is lost');
    return simulatedFleet(seed);
  },
});

const proxied = testServer('sqlite', { logger: pino({ level: 'trace' }, sink), trustedProxies: 'loopback' });

/** The log lines that `work` causes. */
async function logOf(work: () => Promise<unknown>): Promise<string> {
  const from = lines.length;
  await work();
  // the server logs a request after it has sent the response
  while (!lines.slice(from).some((line) => line.includes('"status"'))) await new Promise(setImmediate);
  return lines.slice(from).join('');
}

test('a request is one line with its id, method, route and status', async () => {
  const { token } = await server.newRider(await server.newWorld());
  let id: string | null = null;
  const log = await logOf(async () => {
    const response = await rawCall(server.baseUrl, 'getProfile', { token });
    id = response.headers.get('x-request-id');
  });
  const told = { req: { id, method: 'GET' }, route: OPERATIONS.getProfile.path, res: { status: 200 } };
  expect(linesOf(log)).toEqual([expect.objectContaining(told)]);
});

/** Could be a ride ID, or a token that someone put into a path. */
const TYPED = '0198a7c5-4b6e-7c3d-9a41-5f0e2d7b8c96';

test.each([
  ['GET', OPERATIONS.getRide.path],
  ['HEAD', OPERATIONS.getRide.path],
  ['POST', OPERATIONS.getRide.path],
  ['PUT', OPERATIONS.rateRide.path],
  ['POST', OPERATIONS.resendEvent.path],
  ['GET', '/routes/{world}/{ride}'],
  ['DELETE', '/routes/{world}/{ride}'],
  ['GET', '/pictures/people/{id}.svg'],
  ['GET', '/account/{problem}'],
  ['GET', '/account'],
])('%s %s: the log has this route, and nothing else from the path', async (method, route) => {
  expect(await routeLogged(method, route.replace(/\{\w+\}/g, TYPED))).toBe(route);
});

test.each([
  ['GET', `/${TYPED}`],
  ['GET', `${OPERATIONS.getRide.path.replace('{ride_id}', TYPED)}/`],
  ['POST', `${OPERATIONS.revokeToken.path}/${TYPED}`],
  ['BREW', `/${TYPED}`],
])('%s %s: the log has no route, and nothing from the path', async (method, path) => {
  expect(await routeLogged(method, path)).toBe(null);
});

async function routeLogged(method: string, path: string): Promise<unknown> {
  const baseUrl = await serveWith(server.parts, routersBeside(server.parts));
  const log = await logOf(() => answerTo(baseUrl, lastHead(method, path)));
  expect(log).not.toContain(TYPED);
  return linesOf(log).at(-1).route;
}

test.each([
  ['a UUID', '5f0c2a4e-1f5b-4a57-9d0e-7a3f1c8b2d64'],
  ['the maximum length', 'a'.repeat(64)],
  ['dots and underscores', 'a.b_c'],
])('the log has the request ID of a trusted proxy in addition to its own: %s', async (_, sent) => {
  expect(await idsOf(proxied, sent)).toEqual({ proxyId: sent });
});

test.each([
  ['one character too many', 'a'.repeat(65)],
  ['a space', 'a b'],
  ['quotation marks', 'a","level":60,"b":"'],
  ['URL punctuation', 'https://maya:secret@example.com'],
  ['an empty string', ''],
])('an invalid request ID is left out: %s', async (_, sent) => {
  expect(await idsOf(proxied, sent)).toEqual({});
});

test('two request IDs are left out', async () => {
  const log = await logOf(() =>
    answerTo(proxied.baseUrl, lastHead('GET', '/healthz', ['X-Request-Id: a', 'X-Request-Id: b'])),
  );
  expect(log).not.toContain('proxyId');
});

test('a request ID from an untrusted client is ignored', async () => {
  expect(await idsOf(server, 'a')).toEqual({});
});

const linesOf = (log: string) =>
  log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** What the log has in addition to the request ID of the server, which the response also has. */
async function idsOf({ baseUrl }: TestServer, sent: string): Promise<object> {
  let id: string | null = null;
  const log = await logOf(async () => {
    const response = await rawCall(baseUrl, 'getProfile', { headers: { 'X-Request-Id': sent } });
    id = response.headers.get('x-request-id');
  });
  const { req } = JSON.parse(log.trim().split('\n').at(-1)!);
  expect(id).toMatch(/^[\da-f-]{36}$/);
  expect(req.id).toBe(id);
  expect(id).not.toBe(sent);
  const { id: _, method: __, ...others } = req;
  return others;
}

test('a server error is a 500 without details, and the log has the cause without the token', async () => {
  const { accessToken } = await newGrant(server);
  const { token } = await server.newRider(await server.newWorld({ seed: BROKEN }));
  const query = `lat=${FERRY_BUILDING.lat}&lng=${FERRY_BUILDING.lng}`;
  let answer: unknown;
  const log = await logOf(async () => {
    answer = await rawAnswerOf(await rawCall(server.baseUrl, 'estimateEta', { token, query }));
  });
  expect(answer).toEqual(failure(500, 'internal_error'));
  expect(JSON.stringify(answer)).not.toContain('fleet');
  expect(log).toContain('The fleet is lost');
  expect(log).toContain(AS_ERROR);
  for (const secret of [token, accessToken]) expect(log).not.toContain(secret);
});

test('the log has no token from an unusual path', async () => {
  const { token } = await server.newRider(await server.newWorld());
  const { path } = OPERATIONS.getProfile;
  const targets = [
    `${path}#${token}`,
    `${path};${token}`,
    `${path}%3Ftoken=${token}`,
    `http://maya:${token}@localhost${path}`,
  ];
  for (const target of [...targets, `${path}?${token}`, `ftp://${token}${path}`, `*${token}`]) {
    const log = await logOf(() => answerTo(server.baseUrl, lastHead('GET', target)));
    expect(log).not.toContain(token);
    expect(log).toMatch(/"route":(null|"[^"])/);
  }
});

test('an error that a sandbox requests by name is not logged as an error', async () => {
  const { token } = await server.newRider(await server.newWorld());
  for (const code of ['internal_error', 'temporarily_unavailable']) {
    const headers = { [SCENARIO]: code };
    const log = await logOf(() => rawCall(server.baseUrl, 'getProfile', { token, headers }));
    expect(log).toContain(`"status":${OPERATIONS.getProfile.failures[code as 'internal_error']}`);
    expect(log).not.toContain(AS_ERROR);
  }
});
