import { describe, expect, test } from 'vitest';
import { failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { askToken, LIVE_CLIENT, newGrant, sendTo, statusWith } from '../support/oauth.ts';
import { testServer } from '../support/started.ts';

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine);

  const revoke = (token: string) =>
    sendTo(server, 'revokeRefreshToken', { headers: LIVE_CLIENT, body: JSON.stringify({ token }) });
  const renew = (refreshToken: string) =>
    askToken(server, { grant_type: 'refresh_token', refresh_token: refreshToken });

  test('a revoked refresh token returns no more tokens, its access tokens stop working, and others go on', async () => {
    const [{ refreshToken, accessToken }, other] = [await newGrant(server), await newGrant(server)];
    const renewed = (await renew(refreshToken)).body.access_token;
    const { status, headers, body } = await revoke(refreshToken);
    expect({ status, body }).toEqual({ status: 200, body: {} });
    expect(headers.get('cache-control')).toBe('no-store');
    expect(await renew(refreshToken)).toMatchObject(failure(400, 'invalid_grant'));
    for (const token of [accessToken, renewed]) expect(await statusWith(server, token)).toBe(401);
    expect(await statusWith(server, other.accessToken)).toBe(200);
    expect((await renew(other.refreshToken)).status).toBe(200);
  });

  test('a form works too', async () => {
    const { refreshToken, accessToken } = await newGrant(server);
    const headers = { ...LIVE_CLIENT, 'Content-Type': 'application/x-www-form-urlencoded' };
    const body = `token=${refreshToken}&token_type_hint=refresh_token`;
    expect((await sendTo(server, 'revokeRefreshToken', { headers, body })).status).toBe(200);
    expect(await statusWith(server, accessToken)).toBe(401);
  });

  test('revoking a token twice, or an unknown token, gets the same response', async () => {
    const { refreshToken } = await newGrant(server);
    for (const token of [refreshToken, refreshToken, 'made-up']) {
      expect(await revoke(token)).toMatchObject({ status: 200, body: {} });
    }
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
});
