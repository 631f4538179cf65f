import { expect, test } from 'vitest';
import { OPERATIONS } from '../../generated/server.ts';
import { ACROSS_TOWN } from '../support/accepted-calls.ts';
import { failure, rawAnswerOf } from '../support/answers.ts';
import { rawCall } from '../support/raw-call.ts';
import { answerTo, lastHead } from '../support/raw-socket.ts';
import { startTestServer } from '../support/server.ts';
import { fragileServer } from '../support/started.ts';
import { expectGuarded } from './support/guarded.ts';

const server = fragileServer('sqlite');

// responses of operations: exposure (success), contract/refusals (errors), edge-methods (other methods)
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
  const request = lastHead('GET', OPERATIONS.getProfile.path, lines);
  expect((await answerTo(server.baseUrl, request)).status).toBe(200);
});

test('a server behind HTTPS tells browsers to use HTTPS', async () => {
  const secure = await startTestServer('sqlite', { publicUrl: 'https://rides.example.com' });
  const { headers } = await fetch(secure.baseUrl).finally(() => secure.close());
  expect(headers.get('strict-transport-security')).toMatch(/^max-age=\d+/);
  expect(headers.get('content-security-policy')).toContain('upgrade-insecure-requests');
});
