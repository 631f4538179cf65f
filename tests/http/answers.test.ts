import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../generated/server.ts';
import { routersBeside } from '../../server/app.ts';
import { ACROSS_TOWN } from '../support/accepted-calls.ts';
import { failure, rawAnswerOf } from '../support/answers.ts';
import { rawCall } from '../support/raw-call.ts';
import { answerTo, HOST, lastHead } from '../support/raw-socket.ts';
import { startTestServer } from '../support/server.ts';
import { fragileServer, testServer } from '../support/started.ts';
import { serveWith } from './support/added-routers.ts';
import { expectGuarded } from './support/guarded.ts';

const PROFILE = OPERATIONS.getProfile.path;

const server = fragileServer('sqlite');

// responses of operations: exposure (success), contract/refusals (errors), edge-target (other methods)
test('a 404 for an unknown path has the common headers and its own request ID', async () => {
  const answers = await Promise.all([1, 2, 3].map(() => fetch(`${server.baseUrl}/nowhere`)));
  for (const response of answers) {
    expect(await rawAnswerOf(response)).toEqual(failure(404, 'not_found'));
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.has('x-ratelimit-remaining')).toBe(false);
    expectGuarded(response);
  }
  expect(new Set(answers.map(({ headers }) => headers.get('x-request-id'))).size).toBe(3);
});

test.each([
  [500, new Error('select * from rides at rides.ts:1:1')],
  [503, Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' })],
])('a server error, %i, counts against the limit and still reports a deprecated field', async (status, error) => {
  const { token } = await server.newRider(await server.newWorld());
  // the first query reads the token
  server.faults.failFrom(2, error);
  const body = JSON.stringify({ ...ACROSS_TOWN, primetime_confirmation_token: 'from before' });
  const response = await rawCall(server.baseUrl, 'requestRide', { token, body });
  expect([response.status, response.headers.get('x-ratelimit-remaining')]).toEqual([status, '4']);
  expect(response.headers.get('deprecation')).toMatch(/^@\d+$/);
  expect(response.headers.get('link')).toContain('rel="deprecation"');
});

test('the server ignores If-None-Match', async () => {
  const { token } = await server.newRider(await server.newWorld());
  // the request is raw, because fetch adds a Cache-Control header that also makes Express skip the check
  const lines = [`Authorization: Bearer ${token}`, 'If-None-Match: *'];
  const request = lastHead('GET', PROFILE, lines);
  expect((await answerTo(server.baseUrl, request)).status).toBe(200);
});

test('a server behind HTTPS tells browsers to use HTTPS', async () => {
  const secure = await startTestServer('sqlite', { publicUrl: 'https://rides.example.com' });
  const { headers } = await fetch(secure.baseUrl).finally(() => secure.close());
  expect(headers.get('strict-transport-security')).toMatch(/^max-age=\d+/);
  expect(headers.get('content-security-policy')).toContain('upgrade-insecure-requests');
});

const BROKEN_CHUNK = `POST ${OPERATIONS.createToken.path} HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nnone\r\n`;

type Request = (token: string) => string;

/** A request for each part of the server that responds with JSON. */
const EVERYWHERE: ReadonlyArray<readonly [part: string, status: number, request: Request]> = [
  ['an operation', 200, (token) => lastHead('GET', PROFILE, [`Authorization: Bearer ${token}`])],
  ['an error', 401, () => lastHead('GET', PROFILE)],
  ['an unknown method', 405, () => lastHead('DELETE', PROFILE)],
  ['an unknown path', 404, () => lastHead('GET', '/nowhere')],
  ['a request that breaks HTTP', 400, () => `GET ${PROFILE} HTTP/1.1\r\nConnection: close\r\n\r\n`],
  ['a request that node cannot parse', 400, () => 'nothing\r\n\r\n'],
  ['a body that node cannot parse', 400, () => BROKEN_CHUNK],
  ['health', 200, () => lastHead('GET', '/healthz')],
];
const DEMO: typeof EVERYWHERE = [
  ['the demo application', 200, () => lastHead('GET', '/development/demo')],
  ['a method that the demo application does not have', 405, () => lastHead('GET', '/development/codes')],
];

// kept-promises.ts checks the newline in every success and error response of each operation
describe.each([
  ['development', true, 'a newline', '\n', [...EVERYWHERE, ...DEMO]],
  ['production', false, 'its last brace', '', EVERYWHERE],
] as const)('in %s', (_, isDevelopment, endInWords, end, requests) => {
  const server = testServer('sqlite', { isDevelopment });
  const serve = () => serveWith(server.parts, routersBeside(server.parts));

  test.each(requests)(`%s ends with ${endInWords}`, async (_, status, request) => {
    const { token } = await server.newRider(await server.newWorld());
    // fails unless Content-Length matches the body
    const { headers, body, ...answer } = await answerTo(await serve(), request(token));
    expect(answer.status).toBe(status);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(body).toBe(JSON.stringify(JSON.parse(body)) + end);
  });

  test('HEAD has the headers of GET and no body', async () => {
    const baseUrl = await serve();
    const get = await answerTo(baseUrl, lastHead('GET', '/healthz'));
    const head = await answerTo(baseUrl, lastHead('HEAD', '/healthz'));
    expect([head.headers.get('content-length'), head.body]).toEqual([get.headers.get('content-length'), '']);
  });
});
