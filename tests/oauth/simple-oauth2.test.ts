import { AuthorizationCode, type ClientCredentials } from 'simple-oauth2';
import { beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS, SCOPES } from '../../generated/server.ts';
import { DEMO, demoRedirectUri } from '../../server/demo.ts';
import { engines } from '../support/database.ts';
import { newApplication, statusWith } from '../support/oauth.ts';
import { testServer } from '../support/started.ts';
import { answerAt } from './support/answer-at.ts';
import { AWKWARD_CLIENTS } from './support/awkward-clients.ts';

type Settings = ConstructorParameters<typeof ClientCredentials>[0];

const EVERYTHING = SCOPES.userToken.join(' ');
const STATE = 'a state & more';

describe.each(engines)('simple-oauth2 on %s', (engine) => {
  const server = testServer(engine, { rateLimitMultiplier: 1000 });
  let callback: string;
  beforeAll(() => {
    callback = demoRedirectUri(server.parts.publicUrl);
  });

  const settings = (change: Partial<Settings> = {}): Settings => ({
    client: { id: DEMO.clientId, secret: DEMO.clientSecret },
    auth: {
      tokenHost: server.baseUrl,
      tokenPath: OPERATIONS.createToken.path,
      revokePath: OPERATIONS.revokeRefreshToken.path,
    },
    ...change,
  });
  const clientWith = (change?: Partial<Settings>) => {
    const { auth, ...others } = settings(change);
    return new AuthorizationCode({
      ...others,
      auth: { ...auth, authorizePath: OPERATIONS.authorizeApplication.path },
    });
  };

  /** Maya allows everything, and the application exchanges her code. */
  async function tokenAfterConsent(client = clientWith(), redirectUri = callback) {
    const url = client.authorizeURL({ redirect_uri: redirectUri, scope: EVERYTHING, state: STATE });
    const { code = '', state } = Object.fromEntries((await answerAt(url, { decision: 'allow' })).searchParams);
    expect(state).toBe(STATE);
    return client.getToken({ code, redirect_uri: redirectUri });
  }

  const statusOf = ({ token }: { readonly token: Record<string, unknown> }) =>
    statusWith(server, String(token.access_token));

  test.each(['form', 'json'] as const)(
    'gets, renews and revokes a token, with all bodies sent as %s',
    async (bodyFormat) => {
      const first = await tokenAfterConsent(clientWith({ options: { bodyFormat } }));
      expect(first.token).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: EVERYTHING });
      expect(first.expired()).toBe(false);
      const second = await first.refresh();
      expect([await statusOf(first), await statusOf(second)]).toEqual([200, 200]);
      await first.revoke('refresh_token');
      expect([await statusOf(first), await statusOf(second)]).toEqual([401, 401]);
      await expect(first.refresh()).rejects.toMatchObject({ data: { payload: { error: 'invalid_grant' } } });
    },
  );

  test.each(AWKWARD_CLIENTS)('gets, renews and revokes a token with %s in its credentials', async (_, id, secret) => {
    await newApplication(server, id, secret);
    const first = await tokenAfterConsent(clientWith({ client: { id, secret } }), 'https://app.example/callback');
    expect(await statusOf(await first.refresh())).toBe(200);
    await first.revoke('refresh_token');
    expect(await statusOf(first)).toBe(401);
  });
});
