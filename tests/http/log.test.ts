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

/** What `work` returns, and the log lines that it causes. */
async function logOf<T>(work: () => Promise<T>): Promise<[T, log: string]> {
  const from = lines.length;
  const result = await work();
  // the server logs a request after it has sent the response
  while (!lines.slice(from).some((line) => line.includes('"status"'))) await new Promise(setImmediate);
  return [result, lines.slice(from).join('')];
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

test.each<[method: string, target: string, route: string | null]>([
  ...['GET', 'HEAD', 'POST'].map((method): [string, string, string] => [method, RIDE, RIDE]),
  ['PUT', OPERATIONS.rateRide.path, OPERATIONS.rateRide.path],
  ['POST', OPERATIONS.resendEvent.path, OPERATIONS.resendEvent.path],
  ['GET', '/routes/{world}/{ride}', '/routes/{world}/{ride}'],
  ['DELETE', '/routes/{world}/{ride}', '/routes/{world}/{ride}'],
  ['GET', '/pictures/people/{id}.svg', '/pictures/people/{id}.svg'],
  ['GET', '/account/{problem}', '/account/{problem}'],
  ['GET', '/account', '/account'],
  ['GET', `${PROFILE}?{token}`, PROFILE],
  ['GET', `http://maya:{token}@localhost${PROFILE}`, PROFILE],
  ['GET', '/{token}', null],
  ['BREW', '/{token}', null],
  ['GET', `${RIDE}/`, null],
  ['POST', `${OPERATIONS.revokeToken.path}/{token}`, null],
  ...[
    `${PROFILE}#{token}`,
    `${PROFILE};{token}`,
    `${PROFILE}%3Ftoken={token}`,
    `ftp://{token}${PROFILE}`,
    '*{token}',
  ].map((target): [string, string, null] => ['GET', target, null]),
])('%s %s is one line with its id, the route %s and its status, and nothing else from the path', async (...row) => {
  const [method, target, route] = row;
  const baseUrl = await serveWith(server.parts, routersBeside(server.parts));
  const head = lastHead(method, target.replace(/\{\w+\}/g, TYPED));
  const [{ status, headers }, log] = await logOf(() => answerTo(baseUrl, head));
  expect(log).not.toContain(TYPED);
  const req = expect.objectContaining({ id: headers.get('x-request-id') });
  expect(linesOf(log)).toEqual([expect.objectContaining({ req, route, res: { status } })]);
});

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

/** What the log has in addition to the method and the request ID of the server, which the response also has. */
async function idsOf({ baseUrl }: TestServer, sent: string): Promise<object> {
  const head = lastHead('GET', PROFILE, [`X-Request-Id: ${sent}`]);
  const [{ headers }, log] = await logOf(() => answerTo(baseUrl, head));
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
  const [answer, log] = await logOf(async () =>
    rawAnswerOf(await rawCall(server.baseUrl, 'estimateEta', { token, query })),
  );
  expect(answer).toEqual(failure(500, 'internal_error'));
  expect(JSON.stringify(answer)).not.toContain('fleet');
  expect(log).toContain('The fleet is lost');
  expect(log).toContain(AS_ERROR);
  for (const secret of [token, accessToken]) expect(log).not.toContain(secret);
});

test('an error that a sandbox requests by name is not logged as an error', async () => {
  const { token } = await server.newRider(await server.newWorld());
  for (const code of ['internal_error', 'temporarily_unavailable']) {
    const headers = { [SCENARIO]: code };
    const [, log] = await logOf(() => rawCall(server.baseUrl, 'getProfile', { token, headers }));
    expect(log).toContain(`"status":${OPERATIONS.getProfile.failures[code as 'internal_error']}`);
    expect(log).not.toContain(AS_ERROR);
  }
});
