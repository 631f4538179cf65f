import { beforeEach, expect, test } from 'vitest';
import { OPERATIONS } from '../../generated/server.ts';
import { DEMO, DEMO_DEVELOPER } from '../../server/demo.ts';
import type { LoggedBodies, LoggedRequest, RequestsOf } from '../../server/domain/logged-request.ts';
import { LONGEST_PATH_LOGGED, MOST_BODY_BYTES_LOGGED } from '../../server/http/recorded-request.ts';
import { basic } from '../support/demo-caller.ts';
import { askToken, LIVE_CLIENT, newCode, SANDBOX_CLIENT, sendTo } from '../support/oauth.ts';
import { rawCall } from '../support/raw-call.ts';
import { makePassenger, makeWorld } from '../support/sandboxes.ts';
import { LIVE } from '../support/server.ts';
import { testServer } from '../support/started.ts';

interface Recorded {
  readonly of: RequestsOf;
  readonly request: LoggedRequest;
  readonly bodies: LoggedBodies | null;
}
const recorded: Recorded[] = [];
const server = testServer('sqlite', {
  requestLog: {
    record: (of, { pathOf, ...request }, bodies) =>
      void recorded.push({ of, request: { ...request, path: pathOf(request.path) }, bodies: bodies?.() ?? null }),
  },
});
beforeEach(() => void recorded.splice(0));
const last = () => recorded.at(-1)!;

test('a live request is recorded without bodies, with rounded coordinates', async () => {
  const token = await server.newToken({ world: LIVE });
  const query = `lat=37.77654&lng=-122.39481&ride_type=svc&secret=${token}`;
  const response = await rawCall(server.baseUrl, 'estimateEta', { token, query });
  expect(last()).toEqual({
    of: { applicationId: DEMO.clientId, developerId: DEMO_DEVELOPER.id },
    request: {
      ...{
        id: response.headers.get('request-id'),
        method: 'GET',
        path: `${OPERATIONS.estimateEta.path}?lat=37.78&lng=-122.39&ride_type=svc`,
      },
      ...{ at: expect.any(Number), ms: expect.any(Number), status: 400, error: 'bad_parameter' },
      ...{ scopes: ['public', 'events'], worldId: 'live', scenario: null },
    },
    bodies: null,
  });
  await rawCall(server.baseUrl, 'estimateEta', { token, query: `lat=${token}&lng=37,7765499` });
  expect(last().request.path).toMatch(/lat=NaN&lng=NaN$/);
});

test('nothing recorded contains a secret or a token', async () => {
  const { token, api } = await makeWorld(server);
  const { token: userToken } = await makePassenger(server, { api });
  const { data: webhooks } = await api.setWebhooks({ body: { url: 'https://app.example/w' } });
  const live = await server.newPassenger(LIVE);
  const verifier = 'v'.repeat(50);
  const code = await newCode(server, live, { scopes: ['public', 'offline'] });
  const sent = {
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    client_secret: DEMO.sandboxClientSecret,
  };
  await askToken(server, sent, SANDBOX_CLIENT);
  const issued = await askToken(server, { ...sent, code_verifier: '' }, SANDBOX_CLIENT);
  const { access_token, refresh_token } = issued.body;
  const refreshed = await askToken(server, { grant_type: 'refresh_token', refresh_token }, SANDBOX_CLIENT);
  for (const operation of ['revokeToken', 'revokeRefreshToken'] as const)
    await sendTo(server, operation, { headers: SANDBOX_CLIENT, body: JSON.stringify({ token: refresh_token }) });
  const all = JSON.stringify(recorded);
  const secrets = [token, userToken, webhooks!.verification_token, code, verifier, DEMO.sandboxClientSecret];
  for (const secret of [...secrets, access_token, refresh_token, refreshed.body.access_token]) {
    expect(secret).toMatch(/^.{19,}$/);
    expect(all).not.toContain(secret);
  }
  expect(all).toContain('\\"code\\":\\"$RIDEHAIL_CODE\\"');
  expect(all).toContain('\\"access_token\\":\\"$RIDEHAIL_ACCESS_TOKEN\\"');
  expect(all).toContain('\\"token\\":\\"$RIDEHAIL_TOKEN\\"');
});

test('a request in a sandbox is recorded with the beginning of its bodies', async () => {
  const { token } = await makeWorld(server);
  const send = (body: string) => rawCall(server.baseUrl, 'setPrimeTime', { token, body });
  await send(JSON.stringify({ primetime_percentage: '50%', [token]: token, more: { token } }));
  const [request, response] = last().bodies!;
  // without the values of fields that the contract does not know
  expect(JSON.parse(request!)).toEqual({ primetime_percentage: '50%', [token]: null, more: null });
  expect(JSON.parse(response!)).toMatchObject({ error: 'bad_parameter' });
  await send(JSON.stringify({ primetime_percentage: `${'é'.repeat(3000)}` }));
  const bytes = Buffer.byteLength(last().bodies![0]!);
  expect(bytes).toBeGreaterThan(MOST_BODY_BYTES_LOGGED - 4);
  expect(bytes).toBeLessThanOrEqual(MOST_BODY_BYTES_LOGGED);
  for (const body of ['{"primetime_percentage":', '["x"', '"text"', `"${token}"`]) {
    await send(body);
    expect(last().bodies![0]).toBeNull();
  }
});

test('a request without right credentials is not recorded', async () => {
  const expired = await server.newToken({ world: LIVE, expiresInMs: -1 });
  for (const token of [expired, 'x'.repeat(43), undefined])
    await rawCall(server.baseUrl, 'getProfile', token === undefined ? {} : { token });
  await askToken(server, { grant_type: 'client_credentials' }, basic(DEMO.clientId, 'wrong'));
  await fetch(`${server.baseUrl}/v1/nowhere`);
  expect(recorded).toEqual([]);
  // right, but not enough
  await rawCall(server.baseUrl, 'getProfile', { token: await server.newToken({ world: LIVE }) });
  await askToken(server, { grant_type: 'nonsense' }, LIVE_CLIENT);
  expect(recorded.map(({ request }) => request.error)).toEqual(['insufficient_scope', 'unsupported_grant_type']);
});

test('a long path is cut off', async () => {
  const token = await server.newToken({ world: LIVE, passenger: await server.newPassenger(LIVE) });
  await rawCall(server.baseUrl, 'getRide', { token, path: { ride_id: 'r'.repeat(5000) } });
  expect(last().request.path).toHaveLength(LONGEST_PATH_LOGGED);
});
