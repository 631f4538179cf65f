import { describe, expect, onTestFinished } from 'vitest';
import { createClient } from '../../client/client.ts';
import { FAILURE_BODIES, type FailureBody } from '../../generated/failure-bodies.ts';
import { MAX_BODY_BYTES, OPERATIONS } from '../../generated/server.ts';
import { freePort } from '../../scripts/support/free-port.ts';
import { DEMO } from '../../server/demo.ts';
import { errorUrl } from '../../server/http/error-url.ts';
import { PORTAL_PATHS } from '../../server/links.ts';
import { pathOfRequest } from '../support/consent.ts';
import { engines } from '../support/database.ts';
import { basic } from '../support/demo-caller.ts';
import { forAll } from '../support/started.ts';
import { until } from '../support/until.ts';
import { type Site, startSite } from './support/nginx.ts';
import { testWith } from './support/programs.ts';
import { NOTHING_LOST, startTraffic } from './support/traffic.ts';

const test = testWith('nginx', 'openssl', 'systemd-socket-activate');

const PASSENGERS = 8;
const REQUESTS = 9;
/** A failure example of the contract, as this server returns it. */
const here = (body: FailureBody) => ({ ...body, documentation_url: errorUrl('https://localhost', body.error) });

const site = forAll(() => startSite('sqlite', 1));
const apiOf =
  ({ baseUrl, fetch }: Site) =>
  (token?: string) =>
    createClient({ baseUrl, fetch: (call) => fetch(call), token });
const get = (path: string, init: RequestInit = {}) => site.fetch(new Request(site.baseUrl + path, init));

test('http is redirected to https, and cookies and links use https', async () => {
  const plain = await fetch(`${site.plainUrl}/docs?a=b`, { redirect: 'manual' });
  expect([plain.status, plain.headers.get('location')]).toEqual([308, 'https://localhost/docs?a=b']);
  for (const path of [pathOfRequest(), PORTAL_PATHS.signIn]) {
    const { status, headers } = await get(path, { headers: { Accept: 'text/html' } });
    expect([path, status, headers.get('cache-control')]).toEqual([path, 200, 'no-store']);
    expect(headers.get('set-cookie')).toMatch(/^__Host-\S+; (?=.*\bSecure\b)(?=.*\bHttpOnly\b)/);
    expect(headers.get('strict-transport-security')).toMatch(/max-age=\d{7}/);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  }
  const metadata = await (await get('/.well-known/oauth-authorization-server')).json();
  expect(metadata).toMatchObject({
    issuer: site.baseUrl,
    token_endpoint: site.baseUrl + OPERATIONS.createToken.path,
  });
});

test("the nginx log has each request without its query, and the request ID from the server's log", async () => {
  const code = 'c4nary-code';
  const logged = (times: number) => until(() => expect(site.log().match(/"\/demo\/callback"/g)).toHaveLength(times));
  await get(`/demo/callback?code=${code}`, { headers: { Referer: `https://app.example/?code=${code}` } });
  await logged(1);
  await fetch(`${site.plainUrl}/demo/callback?code=${code}`, { redirect: 'manual' });
  await logged(2);
  expect(site.log()).not.toContain(code);
  const [, id] = /GET "\/demo\/callback" (?:\S+ ){3}([\da-f]{32})$/m.exec(site.log())!;
  await until(() => expect(site.servers[0]!.output()).toContain(`"proxyId":"${id}"`));
});

test('a client is limited by its real address, which it cannot forge', async () => {
  const remaining = async (from: string, forwarded: string) => {
    const call = new Request(site.baseUrl + OPERATIONS.authorizeApplication.path, {
      headers: { 'X-Forwarded-For': forwarded },
    });
    return Number((await site.fetch(call, from)).headers.get('x-ratelimit-remaining'));
  };
  // no other test calls from these addresses
  const first = await remaining('127.0.0.2', '192.0.2.1');
  expect(first).toBeGreaterThan(0);
  expect(await remaining('127.0.0.2', '192.0.2.2')).toBe(first - 1);
  expect(await remaining('127.0.0.3', '192.0.2.1')).toBe(first);
});

test.each([
  ['of the maximum size', MAX_BODY_BYTES, 400],
  ['that is one byte larger', MAX_BODY_BYTES + 1, 413],
  ['that is much larger', 5_000_000, 413],
])('a body %s gets the response in the contract, and the connection stays usable', async (_, bytes, status) => {
  const headers = { ...basic(DEMO.clientId, DEMO.clientSecret), 'Content-Type': 'application/json' };
  const init = { method: 'POST', headers, body: ' '.repeat(bytes) };
  for (let times = 0; times < 3; times++) {
    const response = await get(OPERATIONS.createToken.path, init);
    expect([response.status, response.headers.has('x-request-id')]).toEqual([status, true]);
    const body = await response.json();
    if (status === 413) expect(body).toEqual(here(FAILURE_BODIES.createToken.payload_too_large!));
  }
});

test.each([
  ['a head that is too large', OPERATIONS.getProfile.path, { headers: { 'X-Long': 'x'.repeat(20_000) } }, 431],
  ['an unknown path', '/nothing/there', {}, 404],
  ['a method that the path does not have', OPERATIONS.createToken.path, { method: 'DELETE' }, 405],
])('%s gets an error body as in the contract', async (_, path, init, status) => {
  const response = await get(path, init);
  expect(response.status).toBe(status);
  const fields = Object.keys((await response.json()) as object).sort();
  expect(fields).toEqual(['documentation_url', 'error', 'error_description', 'error_detail']);
});

test('a restart loses no request, whether it reads or writes', async () => {
  const traffic = await startTraffic(apiOf(site), PASSENGERS);
  await traffic.more(REQUESTS);
  await site.servers[0]!.restart();
  await traffic.more(REQUESTS);
  expect(await traffic.end()).toEqual(NOTHING_LOST);
});

test('without a server, nginx returns an error body as in the contract', async () => {
  const nginx = await startSite('sqlite', 0, `127.0.0.1:${await freePort()}`);
  onTestFinished(nginx.close);
  const response = await nginx.fetch(new Request(nginx.baseUrl + OPERATIONS.getProfile.path));
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
  expect(response.headers.has('x-request-id')).toBe(true);
  expect(await response.json()).toEqual(here(FAILURE_BODIES.getProfile.temporarily_unavailable!));
});

describe.runIf(engines.includes('postgres'))('nginx in front of two servers and a third that is down', () => {
  const site = forAll(async () => startSite('postgres', 2, `127.0.0.1:${await freePort()}`));
  /** How many requests each server has logged. */
  const logged = () => site.servers.map((server) => server.output().match(/"route":/g)?.length ?? 0);

  test('a rolling restart loses no request, and both servers get requests before and after it', async () => {
    const traffic = await startTraffic(apiOf(site), 3);
    const bothAnswer = async () => {
      const before = logged();
      await traffic.more(REQUESTS);
      await until(() => {
        for (const [index, count] of logged().entries()) expect(count).toBeGreaterThan(before[index]!);
      });
    };
    await bothAnswer();
    for (const server of site.servers) {
      await server.restart();
      await bothAnswer();
    }
    expect(await traffic.end()).toEqual(NOTHING_LOST);
  });

  test('a client can send many requests at once, and all get a response', async () => {
    const { path } = OPERATIONS.authorizeApplication;
    const calls = Array.from({ length: 160 }, () => site.fetch(new Request(site.baseUrl + path)));
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([400]));
  });
});
