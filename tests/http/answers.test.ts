import { expect, onTestFinished, test } from 'vitest';
import { OPERATIONS } from '../../generated/server.ts';
import { routersBeside } from '../../server/app.ts';
import { ACROSS_TOWN } from '../support/accepted-calls.ts';
import { failure, rawAnswerOf } from '../support/answers.ts';
import { rawCall } from '../support/raw-call.ts';
import { answerTo, HOST, lastHead } from '../support/raw-socket.ts';
import { startTestServer } from '../support/server.ts';
import { fragileServer } from '../support/started.ts';
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

/** A request for each part of the server that responds with JSON. */
const everywhere = (token: string) => [
  lastHead('GET', PROFILE, [`Authorization: Bearer ${token}`]),
  lastHead('GET', PROFILE),
  lastHead('DELETE', PROFILE),
  lastHead('GET', '/nowhere'),
  // breaks HTTP; cannot be parsed; has a body that cannot be parsed
  ...[`GET ${PROFILE} HTTP/1.1\r\nConnection: close\r\n\r\n`, 'nothing\r\n\r\n', BROKEN_CHUNK],
  lastHead('GET', '/healthz'),
];
const toDemo = ['/development/demo', '/development/codes'].map((path) => lastHead('GET', path));

// kept-promises.ts checks the newline in every success and error response of each operation
test.each([
  { mode: 'development', last: 'a newline', end: '\n', expected: [200, 401, 405, 404, 400, 400, 400, 200, 200, 405] },
  { mode: 'production', last: 'its last brace', end: '', expected: [200, 401, 405, 404, 400, 400, 400, 200] },
])(
  'in $mode, every JSON response ends with $last, and HEAD has the headers of GET',
  async ({ mode, end, expected }) => {
    const isDevelopment = mode === 'development';
    const server = await startTestServer('sqlite', { isDevelopment });
    onTestFinished(server.close);
    const baseUrl = await serveWith(server.parts, routersBeside(server.parts));
    const { token } = await server.newRider(await server.newWorld());
    const statuses = [];
    for (const request of [...everywhere(token), ...(isDevelopment ? toDemo : [])]) {
      // fails unless Content-Length matches the body
      const { status, headers, body } = await answerTo(baseUrl, request);
      expect(headers.get('content-type'), request).toBe('application/json; charset=utf-8');
      expect(body, request).toBe(JSON.stringify(JSON.parse(body)) + end);
      statuses.push(status);
    }
    expect(statuses).toEqual(expected);
    const [get, head] = [
      await answerTo(baseUrl, lastHead('GET', '/healthz')),
      await answerTo(baseUrl, lastHead('HEAD', '/healthz')),
    ];
    expect([head.headers.get('content-length'), head.body]).toEqual([get.headers.get('content-length'), '']);
  },
);
