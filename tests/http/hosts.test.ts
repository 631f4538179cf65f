import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../generated/server.ts';
import { failure } from '../support/answers.ts';
import { OPERATION_IDS, pathOf } from '../support/operations.ts';
import { answerTo, lastHead, type WireAnswer } from '../support/raw-socket.ts';
import { testServer } from '../support/started.ts';
import { expectGuarded } from './support/guarded.ts';

const PAGE = 'http://localhost:3000';
const PROFILE = OPERATIONS.getProfile.path;
const UNAUTHORIZED = 401;
const MISDIRECTED = failure(421, 'misdirected_request');

const development = testServer('sqlite');
const production = testServer('sqlite', {
  publicUrl: 'https://rides.example.com',
  allowedHosts: ['rides.internal', '10.0.0.7', '[fd00::7]'],
});
const behindProxy = testServer('sqlite', {
  publicUrl: 'https://rides.example.com',
  allowedHosts: [],
  trustedProxies: '127.0.0.1',
});

const told = ({ status, body }: WireAnswer) => ({ status, body: JSON.parse(body) });

describe.each(OPERATION_IDS)('%s under another host name', (operation) => {
  const { method, path } = OPERATIONS[operation];

  test('is refused before its token is checked', async () => {
    const { token } = await development.newRider(await development.newWorld());
    const lines = [`Authorization: Bearer ${token}`, 'Content-Type: text/plain', 'Content-Length: 1'];
    const head = lastHead(method.toUpperCase(), pathOf(path), lines, 'evil.example');
    const answer = await answerTo(development.baseUrl, `${head}{`);
    expect(told(answer)).toEqual(MISDIRECTED);
    expectGuarded(answer);
    expect(answer.headers.get('x-ratelimit-limit')).toBeNull();
    expect(answer.headers.get('www-authenticate')).toBeNull();
  });

  test('does not allow a cross-origin page either', async () => {
    const lines = [`Origin: ${PAGE}`, `Access-Control-Request-Method: ${method.toUpperCase()}`];
    const preflight = (host: string) => answerTo(development.baseUrl, lastHead('OPTIONS', pathOf(path), lines, host));
    expect((await preflight('localhost')).status).toBe(204);
    const refused = await preflight('evil.example');
    expect(told(refused)).toEqual(MISDIRECTED);
    expect(refused.headers.get('access-control-allow-origin')).toBeNull();
  });
});

const ask = async (baseUrl: string, host: string, lines: string[] = []) =>
  (await answerTo(baseUrl, lastHead('GET', PROFILE, lines, host))).status;

const LOCAL = [
  ...['localhost', 'LOCALHOST', 'localhost.', 'localhost:8080', 'localhost:1', 'app.localhost', 'a.b.localhost:3000'],
  ...['127.0.0.1', '127.0.0.1:65000', '127.1.2.3', '[::1]', '[::1]:8080'],
];
const ELSEWHERE = [
  ...['evil.example', 'localhost.evil.example', 'notlocalhost', '127.0.0.1.evil.example', 'evil.example:8080'],
  ...['.localhost', '192.168.0.2', '0.0.0.0', '[::]', '[::2]', '::1', '-', '%6cocalhost'],
  ...['www.rides.example.com', 'example.com', 'rides.example.com.evil.example', 'evilrides.internal'],
  ...['a.rides.internal', '10.0.0.70', '[fd00::8]'],
];
const PUBLIC = [
  ...['rides.example.com', 'Rides.Example.COM', 'rides.example.com.', 'rides.example.com:443', 'rides.internal'],
  ...['10.0.0.7:8080', '[fd00::7]', '[FD00::7]:8080'],
];

test.each([
  ['a development', development, LOCAL, [...ELSEWHERE, ...PUBLIC]],
  ['a production', production, PUBLIC, [...ELSEWHERE, ...LOCAL]],
])('%s server is reached only under its own names', async (_, { baseUrl }, own, others) => {
  for (const host of own) expect([host, await ask(baseUrl, host)]).toEqual([host, UNAUTHORIZED]);
  for (const host of others) expect([host, await ask(baseUrl, host)]).toEqual([host, MISDIRECTED.status]);
});

test('a request without a host is served, as HTTP/1.0 allows', async () => {
  const old = await answerTo(production.baseUrl, `GET ${PROFILE} HTTP/1.0\r\n\r\n`);
  expect(old.status).toBe(UNAUTHORIZED);
  expect(await ask(production.baseUrl, '')).toBe(UNAUTHORIZED);
  const named = await answerTo(production.baseUrl, `GET ${PROFILE} HTTP/1.0\r\nHost: evil.example\r\n\r\n`);
  expect(named.status).toBe(MISDIRECTED.status);
});

test('X-Forwarded-Host replaces Host only if it comes from a trusted proxy', async () => {
  for (const [{ baseUrl }, host, forwarded, status] of [
    [behindProxy, '10.0.0.7:8080', 'rides.example.com', UNAUTHORIZED],
    [behindProxy, 'rides.example.com', 'evil.example', MISDIRECTED.status],
    [production, 'evil.example', 'rides.example.com', MISDIRECTED.status],
    [production, 'rides.example.com', 'evil.example', UNAUTHORIZED],
  ] as const) {
    expect(await ask(baseUrl, host, [`X-Forwarded-Host: ${forwarded}`])).toBe(status);
  }
  expect(await ask(behindProxy.baseUrl, 'rides.example.com')).toBe(UNAUTHORIZED);
});
