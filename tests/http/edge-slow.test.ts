import express from 'express';
import { expect, test } from 'vitest';
import { OPERATIONS, REQUEST_LIMITS } from '../../generated/server.ts';
import { createFastServer } from '../../server/http/fast-server.ts';
import { ACCOUNT_PATHS, CONSENT_PATHS, PORTAL_PATHS } from '../../server/links.ts';
import { ACROSS_TOWN } from '../support/accepted-calls.ts';
import { failure } from '../support/answers.ts';
import { answersTo, answerTo, HOST, type WireAnswer } from '../support/raw-socket.ts';
import { testServer } from '../support/started.ts';

// real time, because fake timers do not reach a socket
const http = { headersTimeout: 200, requestTimeout: 300, connectionsCheckingInterval: 20 };
const server = testServer('sqlite', { http });

const told = ({ status, headers, body }: WireAnswer) => ({
  answer: { status, body: JSON.parse(body) },
  connection: headers.get('connection'),
  hasId: headers.has('x-request-id'),
  isGuarded: headers.get('x-content-type-options') === 'nosniff',
});
const TOO_SLOW = { answer: failure(408, 'request_timeout'), connection: 'close', hasId: true, isGuarded: true };

/** A requestRide request that announces a body and sends only its beginning. */
function beginning(token: string, length: number | 'chunked'): string {
  const framing = length === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`;
  const json = JSON.stringify(ACROSS_TOWN).slice(0, 20);
  const headers = `${HOST}Authorization: Bearer ${token}\r\nContent-Type: application/json\r\n${framing}\r\n`;
  return `POST ${OPERATIONS.requestRide.path} HTTP/1.1\r\n${headers}\r\n${length === 'chunked' ? `14\r\n${json}\r\n` : json}`;
}

test('a request that does not arrive in time is a 408, also after the responses to earlier requests', async () => {
  const { token } = await server.newRider(await server.newWorld());
  const sound = `GET ${OPERATIONS.getProfile.path} HTTP/1.1\r\n${HOST}Authorization: Bearer ${token}\r\n\r\n`;
  for (const slow of [beginning(token, 300), 'GET / HTTP/1.1\r\n', 'GE']) {
    const [before, late, ...more] = await answersTo(server.baseUrl, sound + slow);
    expect([before!.status, told(late!), more]).toEqual([200, TOO_SLOW, []]);
  }
});

test('a request that was refused before its body arrived gets no second response', async () => {
  const answers = await answersTo(server.baseUrl, beginning('made-up', 300));
  expect(answers.map(told)).toEqual([expect.objectContaining({ answer: failure(401, 'invalid_token') })]);
});

test.each([
  ['without a cookie', 'Content-Type: application/x-www-form-urlencoded'],
  ['of another type', 'Content-Type: text/plain\r\nCookie: ridehail_csrf=x; ridehail_developer_csrf=x'],
])('a form %s is refused before its body arrives, on every page with a form', async (_, headers) => {
  const paths = Object.values({ portal: PORTAL_PATHS, account: ACCOUNT_PATHS, consent: CONSENT_PATHS });
  const statuses = paths
    .flatMap((each) => Object.values(each))
    .map(async (path) => {
      const head = `POST ${path} HTTP/1.1\r\n${HOST}${headers}\r\nConnection: close\r\nContent-Length: 31000\r\n\r\n`;
      const { status } = await answerTo(server.baseUrl, `${head}a=`);
      // some pages have no form
      return [path, status === 405 ? 403 : status];
    });
  expect((await Promise.all(statuses)).filter(([, status]) => status !== 403)).toEqual([]);
});

test('the contract states the default timeouts of the server', () => {
  const { headersTimeout, requestTimeout, timeout } = createFastServer(express(), server.parts);
  const [headSeconds, seconds, unreadSeconds] = [headersTimeout, requestTimeout, timeout].map((ms) => ms / 1000);
  expect(REQUEST_LIMITS).toMatchObject({ headSeconds, seconds, unreadSeconds });
});
