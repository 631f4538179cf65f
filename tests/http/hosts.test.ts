import { describe, expect, test } from 'vitest';
import { OPERATIONS, type OperationId, READABLE_HEADERS } from '../../generated/server.ts';
import { crossOrigin } from '../../server/http/cross-origin.ts';
import { failure } from '../support/answers.ts';
import { OPERATION_IDS, pathOf } from '../support/operations.ts';
import { rawCall } from '../support/raw-call.ts';
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
  const METHOD = method.toUpperCase();

  test('is refused before its token is checked, and to a page of an allowed origin', async () => {
    const { token } = await development.newRider(await development.newWorld());
    const lines = [`Authorization: Bearer ${token}`, 'Content-Type: text/plain', 'Content-Length: 1'];
    const preflight = [`Origin: ${PAGE}`, `Access-Control-Request-Method: ${METHOD}`];
    const asking = (host: string) => lastHead('OPTIONS', pathOf(path), preflight, host);
    expect((await answerTo(development.baseUrl, asking('localhost'))).status).toBe(204);
    for (const request of [`${lastHead(METHOD, pathOf(path), lines, 'evil.example')}{`, asking('evil.example')]) {
      const answer = await answerTo(development.baseUrl, request);
      expect(told(answer)).toEqual(MISDIRECTED);
      expectGuarded(answer);
      for (const none of ['x-ratelimit-limit', 'www-authenticate', 'access-control-allow-origin']) {
        expect(answer.headers.get(none)).toBeNull();
      }
    }
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

const APP = 'https://app.example.com';
const named = testServer('sqlite', { corsOrigins: [APP, PAGE] });

const allowedTo = (response: Response) => response.headers.get('Access-Control-Allow-Origin');

/** The preflight request that a browser sends before a cross-origin call. */
function preflight(baseUrl: string, operation: OperationId, origin: string) {
  const { method, path } = OPERATIONS[operation];
  const headers = {
    Origin: origin,
    'Access-Control-Request-Method': method.toUpperCase(),
    'Access-Control-Request-Headers': 'authorization,content-type',
  };
  return fetch(baseUrl + pathOf(path), { method: 'OPTIONS', headers });
}

describe.each(OPERATION_IDS)('%s', (operation) => {
  test('can be called by a page of an allowed origin', async () => {
    const before = await preflight(named.baseUrl, operation, APP);
    expect([before.status, allowedTo(before)]).toEqual([204, APP]);
    expect(before.headers.get('Access-Control-Allow-Headers')).toBe('authorization,content-type');
    expect(before.headers.get('Access-Control-Allow-Methods')).toContain(OPERATIONS[operation].method.toUpperCase());
    const failed = await rawCall(named.baseUrl, operation, { headers: { Origin: APP } });
    expect(failed.status).toBeGreaterThanOrEqual(400);
    expect(allowedTo(failed)).toBe(APP);
    expect(failed.headers.get('Access-Control-Expose-Headers')).toBe(READABLE_HEADERS.join(','));
    expect(failed.headers.get('Access-Control-Allow-Credentials')).toBeNull();
    expect(failed.headers.get('Vary')).toContain('Origin');
  });

  test('cannot be called by a page of another origin', async () => {
    for (const origin of ['https://evil.example.com', `${APP}.evil.example`, 'http://localhost:3001', 'null']) {
      const before = await preflight(named.baseUrl, operation, origin);
      expect([before.status, allowedTo(before), before.headers.get('Vary')]).toEqual([405, null, 'Origin']);
      expect(allowedTo(await rawCall(named.baseUrl, operation, { headers: { Origin: origin } }))).toBeNull();
    }
  });
});

test('a page can read the headers for limits, retries, failures and the request ID', () => {
  const limits = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Retry-After'];
  const failures = ['error', 'WWW-Authenticate', 'X-Request-Id', 'Deprecation', 'Link', 'Location'];
  expect([...READABLE_HEADERS].sort()).toEqual(expect.arrayContaining([...limits, ...failures].sort()));
  expect(READABLE_HEADERS).not.toContain('Set-Cookie');
});

test.each([
  ['localhost', 'https://localhost', true],
  ['localhost', 'http://[::1]:8000', true],
  ['localhost', 'http://localhost.example.com', false],
  ['localhost', 'null', false],
  ['*', APP, true],
  ['*', 'null', true],
  [APP, APP, true],
  [APP, 'http://app.example.com', false],
  [APP, `${APP}:8443`, false],
])('origins of %s include %s: %s', (allowed, origin, isIncluded) => {
  const sent = new Map<string, string>();
  const res = {
    setHeader: (name: string, value: string) => sent.set(name, value),
    getHeader: () => '',
    vary: () => {},
  };
  crossOrigin([allowed], () => true)({ method: 'GET', headers: { origin } } as never, res as never, () => {});
  expect(sent.get('Access-Control-Allow-Origin')).toBe(isIncluded ? origin : undefined);
});
