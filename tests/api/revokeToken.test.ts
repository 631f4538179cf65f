import { describe, expect, test } from 'vitest';
import { DEMO } from '../../server/demo.ts';
import { setRefreshTokenRotation } from '../../server/store/applications.ts';
import { failure } from '../support/answers.ts';
import { changingNothing } from '../support/changing-nothing.ts';
import { SAN_FRANCISCO } from '../support/cities.ts';
import { engines } from '../support/database.ts';
import { askToken, LIVE_CLIENT, newApplication, newGrant, SANDBOX_CLIENT, sendTo } from '../support/oauth.ts';
import { testServer } from '../support/started.ts';

const HINTS = [undefined, '', 'access_token', 'refresh_token', 'made_up'];

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine, { rateLimitMultiplier: 100 });

  const revoke = (token: string, headers: Record<string, string> = LIVE_CLIENT, more: object = {}) =>
    sendTo(server, 'revokeToken', { headers, body: JSON.stringify({ token, ...more }) });
  const renew = (refreshToken: string, client = LIVE_CLIENT) =>
    askToken(server, { grant_type: 'refresh_token', refresh_token: refreshToken }, client);
  const clientToken = async (client = LIVE_CLIENT) =>
    String((await askToken(server, { grant_type: 'client_credentials' }, client)).body.access_token);
  const isAlive = async (token: string) => {
    const { response } = await server.client({ token }).listRideTypes({ params: { query: SAN_FRANCISCO.center } });
    return response.status === 200;
  };

  describe.each([
    ['live world', LIVE_CLIENT],
    ['sandbox', SANDBOX_CLIENT],
  ] as const)('with any hint, in the %s,', (_, client) => {
    test('only a revoked client token stops working', async () => {
      const other = await clientToken(client);
      for (const token_type_hint of HINTS) {
        const leaked = await clientToken(client);
        expect(await isAlive(leaked)).toBe(true);
        const { status, headers, body } = await revoke(leaked, client, { token_type_hint });
        expect({ status, body }).toEqual({ status: 200, body: {} });
        expect(headers.get('cache-control')).toBe('no-store');
        expect([await isAlive(leaked), await isAlive(other)]).toEqual([false, true]);
      }
    });

    test('only a revoked user token stops working', async () => {
      const { refreshToken } = await newGrant(server, client);
      for (const token_type_hint of HINTS) {
        const [first, second] = [await renew(refreshToken, client), await renew(refreshToken, client)];
        expect((await revoke(first.body.access_token, client, { token_type_hint })).status).toBe(200);
        expect([await isAlive(first.body.access_token), await isAlive(second.body.access_token)]).toEqual([
          false,
          true,
        ]);
      }
      expect((await renew(refreshToken, client)).status).toBe(200);
    });

    test('a revoked refresh token and its access tokens stop working, and no others', async () => {
      const other = await newGrant(server, client);
      for (const token_type_hint of HINTS) {
        const { accessToken, refreshToken } = await newGrant(server, client);
        const renewed = (await renew(refreshToken, client)).body.access_token;
        expect((await revoke(refreshToken, client, { token_type_hint })).status).toBe(200);
        for (const token of [accessToken, renewed]) expect(await isAlive(token)).toBe(false);
        expect(await renew(refreshToken, client)).toMatchObject(failure(400, 'invalid_grant'));
      }
      expect(await isAlive(other.accessToken)).toBe(true);
    });
  });

  test('the token of a created world stops working too', async () => {
    const { data } = await server.client({ token: await clientToken(SANDBOX_CLIENT) }).createWorld();
    const token = data!.token.access_token;
    await revoke(token, SANDBOX_CLIENT);
    expect((await server.client({ token }).getWorld()).response.status).toBe(401);
  });

  test('an invalid token, or one of another application or environment, gets the same response', async () => {
    const other = await newApplication(server, 'other');
    const grant = await newGrant(server);
    const ended = await clientToken();
    await revoke(ended);
    const calls: [string, Record<string, string>][] = [
      ['made-up', LIVE_CLIENT],
      ['x'.repeat(60_000), LIVE_CLIENT],
      [`${grant.accessToken}x`, LIVE_CLIENT],
      [`${grant.refreshToken}x`, LIVE_CLIENT],
      [ended, LIVE_CLIENT],
    ];
    for (const token of [grant.accessToken, grant.refreshToken, await clientToken()]) {
      calls.push([token, other], [token, SANDBOX_CLIENT]);
    }
    for (const [token, client] of calls) {
      const answer = await changingNothing(server, () => revoke(token, client));
      expect(answer).toMatchObject({ status: 200, body: {} });
    }
  });

  test('any token of a family revokes the whole family, even if the response with the last one was lost', async () => {
    await setRefreshTokenRotation(server.store.db, DEMO.clientId, true);
    for (const at of [0, 1, 2, 3]) {
      const first = await newGrant(server);
      const second = (await renew(first.refreshToken)).body;
      const third = (await renew(second.refresh_token)).body;
      // no response contained the last token
      const family = [first.refreshToken, second.refresh_token, third.refresh_token, `${first.refreshToken}x`];
      await revoke(family[at]);
      for (const token of [first.accessToken, second.access_token, third.access_token]) {
        expect(await isAlive(token)).toBe(false);
      }
      expect((await renew(third.refresh_token)).status).toBe(400);
    }
    await setRefreshTokenRotation(server.store.db, DEMO.clientId, false);
  });

  test('calls of each application count separately', async () => {
    const other = await newApplication(server, 'counted');
    const leftAfter = async (client: typeof LIVE_CLIENT) =>
      Number((await revoke('made-up', client)).headers.get('x-ratelimit-remaining'));
    const left = await leftAfter(LIVE_CLIENT);
    const full = await leftAfter(other);
    expect([await leftAfter(LIVE_CLIENT), await leftAfter(other)]).toEqual([left - 1, full - 1]);
    expect(full).toBeGreaterThan(left);
  });

  test('a form works too', async () => {
    const token = await clientToken();
    const headers = { ...LIVE_CLIENT, 'Content-Type': 'application/x-www-form-urlencoded' };
    const body = `token=${token}&token_type_hint=access_token`;
    expect(await sendTo(server, 'revokeToken', { headers, body })).toMatchObject({ status: 200, body: {} });
    expect(await isAlive(token)).toBe(false);
  });
});
