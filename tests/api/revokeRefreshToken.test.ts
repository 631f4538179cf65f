import { describe, expect, test } from 'vitest';
import { DEMO } from '../../server/demo.ts';
import { failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import {
  askToken,
  LIVE_CLIENT,
  newApplication,
  newGrant,
  SANDBOX_CLIENT,
  sendTo,
  statusWith,
} from '../support/oauth.ts';
import { testServer } from '../support/started.ts';

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine);

  const revoke = (token: string, headers: Record<string, string> = LIVE_CLIENT) =>
    sendTo(server, 'revokeRefreshToken', { headers, body: JSON.stringify({ token }) });
  const renew = (refreshToken: string) =>
    askToken(server, { grant_type: 'refresh_token', refresh_token: refreshToken });

  test('a revoked refresh token returns no more tokens, and its access tokens stop working', async () => {
    const { refreshToken, accessToken } = await newGrant(server);
    const renewed = (await renew(refreshToken)).body.access_token;
    const { status, headers, body } = await revoke(refreshToken);
    expect({ status, body }).toEqual({ status: 200, body: {} });
    expect(headers.get('cache-control')).toBe('no-store');
    expect(await renew(refreshToken)).toMatchObject(failure(400, 'invalid_grant'));
    expect(await statusWith(server, accessToken)).toBe(401);
    expect(await statusWith(server, renewed)).toBe(401);
  });

  test('tokens of another consent stay valid', async () => {
    const [revoked, other] = [await newGrant(server), await newGrant(server)];
    await revoke(revoked.refreshToken);
    expect(await statusWith(server, other.accessToken)).toBe(200);
    expect((await renew(other.refreshToken)).status).toBe(200);
  });

  const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
  test.each<[string, Record<string, string>, (token: string) => string]>([
    ['a form', FORM, (token) => `token=${token}&token_type_hint=refresh_token`],
    ['JSON with empty credentials', {}, (token) => JSON.stringify({ token, client_id: '', client_secret: '' })],
  ])('%s works too', async (_, headers, bodyOf) => {
    const { refreshToken, accessToken } = await newGrant(server);
    const call = { headers: { ...LIVE_CLIENT, ...headers }, body: bodyOf(refreshToken) };
    expect((await sendTo(server, 'revokeRefreshToken', call)).status).toBe(200);
    expect(await statusWith(server, accessToken)).toBe(401);
  });

  test('revoking a token twice, or an unknown token, gets the same response', async () => {
    const { refreshToken } = await newGrant(server);
    for (const token of [refreshToken, refreshToken, 'made-up']) {
      expect(await revoke(token)).toMatchObject({ status: 200, body: {} });
    }
  });

  test("another application's token gets the same response, and stays valid", async () => {
    const { refreshToken, accessToken } = await newGrant(server);
    const other = await newApplication(server, 'other');
    expect(await revoke(refreshToken, other)).toMatchObject({ status: 200, body: {} });
    expect(await statusWith(server, accessToken)).toBe(200);
    expect((await renew(refreshToken)).status).toBe(200);
  });

  test('a secret revokes nothing in the other environment', async () => {
    const [live, sandbox] = [await newGrant(server), await newGrant(server, SANDBOX_CLIENT)];
    expect(await revoke(live.refreshToken, SANDBOX_CLIENT)).toMatchObject({ status: 200, body: {} });
    expect(await revoke(sandbox.refreshToken, LIVE_CLIENT)).toMatchObject({ status: 200, body: {} });
    for (const { accessToken } of [live, sandbox]) expect(await statusWith(server, accessToken)).toBe(200);
    await revoke(sandbox.refreshToken, SANDBOX_CLIENT);
    expect(await statusWith(server, sandbox.accessToken)).toBe(401);
  });

  test('concurrent revocations, renewals and replays of the code leave no valid token', async () => {
    const { refreshToken, accessToken, code } = await newGrant(server);
    const calls = [
      () => renew(refreshToken),
      () => revoke(refreshToken),
      () => askToken(server, { grant_type: 'authorization_code', code }),
    ] as const;
    const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => calls[n % calls.length]!()));
    expect(answers.filter(({ status }) => status !== 200 && status !== 400)).toEqual([]);
    const given = answers.flatMap(({ body }) => body.access_token ?? []);
    for (const token of [accessToken, ...given]) expect(await statusWith(server, token)).toBe(401);
  });

  test.each([
    [{ client_id: DEMO.clientId, client_secret: DEMO.clientSecret }, 'client_secret'],
    [{ client_id: 'another' }, 'client_id'],
  ])('%j in the body, next to Basic, is an invalid_request, and revokes nothing', async (credentials, blamed) => {
    const { refreshToken, accessToken } = await newGrant(server);
    const send = (more: object) =>
      sendTo(server, 'revokeRefreshToken', {
        headers: LIVE_CLIENT,
        body: JSON.stringify({ token: refreshToken, ...more }),
      });
    const { status, headers, body } = await send(credentials);
    expect({ status, body }).toEqual(failure(400, 'invalid_request', [{ [blamed]: expect.any(String) }]));
    expect(headers.get('cache-control')).toBe('no-store');
    expect(await statusWith(server, accessToken)).toBe(200);
    expect((await send({ client_id: DEMO.clientId })).status).toBe(200);
    expect(await statusWith(server, accessToken)).toBe(401);
  });
});
