import { describe, expect, test } from 'vitest';
import { DEMO } from '../../server/demo.ts';
import { setSettings } from '../../server/store/applications.ts';
import { failure } from '../support/answers.ts';
import { changingNothing } from '../support/changing-nothing.ts';
import { SAN_FRANCISCO } from '../support/cities.ts';
import { engines } from '../support/database.ts';
import { askToken, LIVE_CLIENT, newApplication, newGrant, SANDBOX_CLIENT, sendTo } from '../support/oauth.ts';
import { testServer } from '../support/started.ts';

const HINTS = [undefined, '', 'access_token', 'refresh_token', 'made_up'];
const REVOKED = { status: 200, body: {} };
type Client = typeof LIVE_CLIENT;
type Revocation = 'revokeToken' | 'revokeRefreshToken';

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine, { rateLimitMultiplier: 100 });

  const revoke = (token: string, client: Client = LIVE_CLIENT, more: object = {}, by: Revocation = 'revokeToken') =>
    sendTo(server, by, { headers: client, body: JSON.stringify({ token, ...more }) });
  const renew = (refreshToken: string, client: Client = LIVE_CLIENT) =>
    askToken(server, { grant_type: 'refresh_token', refresh_token: refreshToken }, client);
  const clientToken = async (client: Client = LIVE_CLIENT) =>
    String((await askToken(server, { grant_type: 'client_credentials' }, client)).body.access_token);
  const isAlive = async (token: string) => {
    const { response } = await server.client({ token }).listRideTypes({ params: { query: SAN_FRANCISCO.center } });
    return response.status === 200;
  };
  const areAlive = (...tokens: string[]) => Promise.all(tokens.map(isAlive));

  describe.each([
    ['live world', LIVE_CLIENT],
    ['sandbox', SANDBOX_CLIENT],
  ] as const)('with any hint, in the %s,', (_, client) => {
    test('only a revoked client token or user token stops working', async () => {
      const { refreshToken } = await newGrant(server, client);
      const userToken = async () => String((await renew(refreshToken, client)).body.access_token);
      for (const newToken of [() => clientToken(client), userToken]) {
        const other = await newToken();
        for (const token_type_hint of HINTS) {
          const leaked = await newToken();
          expect(await isAlive(leaked)).toBe(true);
          const { headers, ...answer } = await revoke(leaked, client, { token_type_hint });
          expect(answer).toEqual(REVOKED);
          expect(headers.get('cache-control')).toBe('no-store');
          expect(await areAlive(leaked, other)).toEqual([false, true]);
        }
      }
      expect((await renew(refreshToken, client)).status).toBe(200);
    });

    test.each<Revocation>(['revokeToken', 'revokeRefreshToken'])(
      'a refresh token that %s revoked and its access tokens stop working, and no others',
      async (by) => {
        const other = await newGrant(server, client);
        for (const token_type_hint of HINTS) {
          const { accessToken, refreshToken } = await newGrant(server, client);
          const renewed = (await renew(refreshToken, client)).body.access_token;
          const { headers, ...answer } = await revoke(refreshToken, client, { token_type_hint }, by);
          expect([answer, headers.get('cache-control')]).toEqual([REVOKED, 'no-store']);
          expect(await areAlive(accessToken, renewed)).toEqual([false, false]);
          expect(await renew(refreshToken, client)).toMatchObject(failure(400, 'invalid_grant'));
        }
        expect(await isAlive(other.accessToken)).toBe(true);
        expect((await renew(other.refreshToken, client)).status).toBe(200);
      },
    );
  });

  test('the token of a created world stops working too', async () => {
    const { data } = await server.client({ token: await clientToken(SANDBOX_CLIENT) }).createWorld();
    const token = data!.token.access_token;
    await revoke(token, SANDBOX_CLIENT);
    expect((await server.client({ token }).getWorld()).response.status).toBe(401);
  });

  test('an invalid token, or one of another application or environment, gets the same response', async () => {
    const other = await newApplication(server, 'other');
    const { accessToken, refreshToken, ...grant } = await newGrant(server);
    const ended = [await clientToken(), (await newGrant(server)).refreshToken] as const;
    for (const token of ended) await revoke(token);
    const invalid = ['made-up', 'x'.repeat(60_000), `${accessToken}x`, `${refreshToken}x`, grant.code, ...ended];
    const foreign = [accessToken, refreshToken, await clientToken()].flatMap((token) => [
      [token, other] as const,
      [token, SANDBOX_CLIENT] as const,
    ]);
    for (const [token, client] of [...invalid.map((token) => [token, LIVE_CLIENT] as const), ...foreign]) {
      for (const by of ['revokeToken', 'revokeRefreshToken'] as const) {
        expect(await changingNothing(server, () => revoke(token, client, {}, by))).toMatchObject(REVOKED);
      }
    }
  });

  test('any token of a family revokes the whole family, even if the response with the last one was lost', async () => {
    await setSettings(server.store.db, DEMO.clientId, { rotatesRefreshTokens: true });
    for (const at of [0, 1, 2, 3]) {
      const first = await newGrant(server);
      const second = (await renew(first.refreshToken)).body;
      const third = (await renew(second.refresh_token)).body;
      // no response contained the last token
      const family = [first.refreshToken, second.refresh_token, third.refresh_token, `${first.refreshToken}x`];
      await revoke(family[at]);
      const accessTokens = [first.accessToken, second.access_token, third.access_token];
      expect(await areAlive(...accessTokens)).toEqual([false, false, false]);
      expect((await renew(third.refresh_token)).status).toBe(400);
    }
    await setSettings(server.store.db, DEMO.clientId, { rotatesRefreshTokens: false });
  });

  test('concurrent revocations, renewals and replays of the code leave no valid token', async () => {
    const { refreshToken, accessToken, code } = await newGrant(server);
    const calls = [
      () => renew(refreshToken),
      () => revoke(refreshToken, LIVE_CLIENT, {}, 'revokeRefreshToken'),
      () => askToken(server, { grant_type: 'authorization_code', code }),
    ] as const;
    const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => calls[n % calls.length]!()));
    expect(answers.filter(({ status }) => status !== 200 && status !== 400)).toEqual([]);
    const given = answers.flatMap(({ body }) => body.access_token ?? []);
    expect((await areAlive(accessToken, ...given)).filter(Boolean)).toEqual([]);
  });

  test('calls of each application count separately', async () => {
    const other = await newApplication(server, 'counted');
    const leftAfter = async (client: Client) =>
      Number((await revoke('made-up', client)).headers.get('x-ratelimit-remaining'));
    const left = await leftAfter(LIVE_CLIENT);
    const full = await leftAfter(other);
    expect([await leftAfter(LIVE_CLIENT), await leftAfter(other)]).toEqual([left - 1, full - 1]);
    expect(full).toBeGreaterThan(left);
  });
});
