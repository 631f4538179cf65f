import { describe, expect, onTestFinished } from 'vitest';
import { createClient } from '../../client/client.ts';
import { verifyWebhook } from '../../client/webhooks/verify-webhook.ts';
import { FAILURE_BODIES } from '../../generated/failure-bodies.ts';
import { MAX_BODY_BYTES, OPERATIONS } from '../../generated/server.ts';
import { freePort } from '../../scripts/support/free-port.ts';
import { DEMO } from '../../server/demo.ts';
import { basic } from '../support/demo-caller.ts';
import { DOLORES_PARK, FERRY_BUILDING } from '../support/places.ts';
import { forAll, receiverForEach } from '../support/started.ts';
import { until } from '../support/until.ts';
import { type HeldServer, startHeldServer } from './support/held-server.ts';
import { freePorts, type Nginx, startNginx } from './support/nginx.ts';
import { testWith } from './support/programs.ts';

const test = testWith('nginx', 'openssl', 'systemd-socket-activate');

const PASSENGERS = 8;
const REQUESTS = 20;
/** Longer than nginx keeps an idle connection to the server. */
const DRAIN_SECONDS = '4';

interface Site extends Nginx {
  readonly server: HeldServer;
}

/** nginx before a server. */
async function startSite(): Promise<Site> {
  const ports = await freePorts();
  const server = await startHeldServer({
    PUBLIC_URL: `https://localhost:${ports.https}`,
    TRUST_PROXY: '1',
    DRAIN_SECONDS,
    RATE_LIMIT_MULTIPLIER: '1000',
    LOG_LEVEL: 'info',
  });
  const nginx = await startNginx(server.address, ports);
  const close = async () => {
    await nginx.close();
    await server.close();
  };
  return { ...nginx, server, close };
}

const site = forAll(startSite);
const api = (token?: string) => createClient({ baseUrl: site.baseUrl, fetch: (call) => site.fetch(call), token });
const get = (path: string, init: RequestInit = {}) => site.fetch(new Request(site.baseUrl + path, init));

test('http is redirected to https, whose cookies and links are of https', async () => {
  const plain = await fetch(`${site.plainUrl}/docs?a=b`, { redirect: 'manual' });
  expect([plain.status, plain.headers.get('location')]).toEqual([308, 'https://localhost/docs?a=b']);
  const page = await get(`${OPERATIONS.authorizeApplication.path}?client_id=${DEMO.clientId}&response_type=code`);
  expect(page.status).toBe(200);
  expect(page.headers.get('set-cookie')).toMatch(/; Secure/);
  const metadata = await (await get('/.well-known/oauth-authorization-server')).json();
  expect(metadata).toMatchObject({
    issuer: site.baseUrl,
    token_endpoint: site.baseUrl + OPERATIONS.createToken.path,
  });
});

test('the log of nginx has each request without its query, and the id that the server logs too', async () => {
  const code = 'c4nary-code';
  await get(`/demo/callback?code=${code}`, { headers: { Referer: `https://app.example/?code=${code}` } });
  await fetch(`${site.plainUrl}/demo/callback?code=${code}`, { redirect: 'manual' });
  await until(() => expect(site.log().match(/"\/demo\/callback"/g)).toHaveLength(2));
  expect(site.log()).not.toContain(code);
  const [, id] = /GET "\/demo\/callback" (?:\S+ ){3}([\da-f]{32})$/m.exec(site.log())!;
  await until(() => expect(site.server.output()).toContain(`"proxyId":"${id}"`));
});

test('a client is limited by its own address, which it cannot choose', async () => {
  const remaining = async (from: string, forwarded: string) => {
    const call = new Request(site.baseUrl + OPERATIONS.authorizeApplication.path, {
      headers: { 'X-Forwarded-For': forwarded },
    });
    return Number((await site.fetch(call, from)).headers.get('x-ratelimit-remaining'));
  };
  // no other test calls from these
  const first = await remaining('127.0.0.2', '192.0.2.1');
  expect(first).toBeGreaterThan(0);
  expect(await remaining('127.0.0.2', '192.0.2.2')).toBe(first - 1);
  expect(await remaining('127.0.0.3', '192.0.2.1')).toBe(first);
});

test.each([
  ['of as much as the server takes', MAX_BODY_BYTES, 400],
  ['of one byte more', MAX_BODY_BYTES + 1, 413],
  ['of much more', 5_000_000, 413],
])('a body %s is answered as the contract says, and the connection can be used again', async (_, bytes, status) => {
  const headers = { ...basic(DEMO.clientId, DEMO.clientSecret), 'Content-Type': 'application/json' };
  const init = { method: 'POST', headers, body: ' '.repeat(bytes) };
  for (let times = 0; times < 3; times++) {
    const response = await get(OPERATIONS.createToken.path, init);
    expect(response.status).toBe(status);
    expect(response.headers.get('x-request-id')).toBeTruthy();
    const body = await response.json();
    if (status === 413) expect(body).toEqual(FAILURE_BODIES.createToken.payload_too_large);
  }
});

test.each([
  ['a head that is too large', OPERATIONS.getProfile.path, { headers: { 'X-Long': 'x'.repeat(20_000) } }, 431],
  ['an unknown path', '/nothing/there', {}, 404],
  ['a method that the path does not have', OPERATIONS.createToken.path, { method: 'DELETE' }, 405],
])('%s is refused in the body of the contract', async (_, path, init, status) => {
  const response = await get(path, init);
  expect(response.status).toBe(status);
  expect(Object.keys((await response.json()) as object).sort()).toEqual(['error', 'error_description', 'error_detail']);
});

describe('with rides in a sandbox', () => {
  const receiver = receiverForEach();

  test('webhooks are signed for the bytes that arrive', async () => {
    const sandbox = api(await newWorld());
    const { data: webhooks } = await sandbox.setWebhooks({ body: { url: receiver.url } });
    await takeRide(api(await newPassenger(sandbox)));
    await receiver.arrived(1);
    const { headers, body } = receiver.received[0]!;
    const event = verifyWebhook(body, String(headers['x-svc-signature']), webhooks!.verification_token!);
    expect(event).toMatchObject({ event: { ride_id: expect.any(String) } });
  });

  test('a restart loses no request, whether it only reads or not', async () => {
    const sandbox = api(await newWorld());
    const passengers = await Promise.all(Array.from({ length: PASSENGERS }, () => newPassenger(sandbox)));
    const results: (string | number)[] = [];
    let isOver = false;
    const traffic = passengers.map(async (token) => {
      while (!isOver) {
        for (const result of await takeRide(api(token))) results.push(result);
      }
    });
    const more = async () => {
      const enough = results.length + REQUESTS * PASSENGERS;
      await until(() => expect(results.length).toBeGreaterThan(enough));
    };
    await more();
    await site.server.restart();
    await more();
    isOver = true;
    await Promise.all(traffic);
    expect(tally(results)).toEqual({ 200: expect.any(Number), 201: expect.any(Number), 204: expect.any(Number) });
  });
});

test('nginx says in the body of the contract that no server is there', async () => {
  const nginx = await startNginx(`127.0.0.1:${await freePort()}`, await freePorts());
  onTestFinished(nginx.close);
  const response = await nginx.fetch(new Request(nginx.baseUrl + OPERATIONS.getProfile.path));
  expect(response.status).toBe(503);
  expect(await response.json()).toEqual(FAILURE_BODIES.getProfile.temporarily_unavailable);
  expect(response.headers.get('retry-after')).toBe('5');
  expect(response.headers.get('x-request-id')).toBeTruthy();
});

/** A sandbox whose clock stands still, at a time without Prime Time. @returns its token */
async function newWorld(): Promise<string> {
  const { data: token } = await api().createToken({
    body: { grant_type: 'client_credentials' },
    headers: basic(DEMO.clientId, DEMO.sandboxClientSecret),
  });
  const body = { clock: { state: 'frozen', now: '2026-05-12T18:00:00Z' } } as const;
  const { data: world } = await api(token!.access_token).createWorld({ body });
  return world!.token.access_token;
}

type Api = ReturnType<typeof api>;

async function newPassenger(sandbox: Api): Promise<string> {
  return (await sandbox.createPassenger({})).data!.token.access_token;
}

/** Requests a ride, reads it and cancels it. @returns the status of each response, or its error */
async function takeRide(passenger: Api): Promise<(string | number)[]> {
  const body = { origin: FERRY_BUILDING, destination: DOLORES_PARK, ride_type: 'svc' };
  const attempt = async <T>(call: Promise<{ data?: T; response: Response }>) => {
    const { data, response } = await call;
    return { data, status: response.status };
  };
  try {
    const requested = await attempt(passenger.requestRide({ body }));
    const params = { path: { ride_id: requested.data!.ride_id } };
    const read = await attempt(passenger.getRide({ params }));
    const canceled = await attempt(passenger.cancelRide({ params }));
    return [requested.status, read.status, canceled.status];
  } catch (error) {
    return [String(error)];
  }
}

function tally(results: readonly (string | number)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const result of results) counts[result] = (counts[result] ?? 0) + 1;
  return counts;
}
