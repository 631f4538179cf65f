import * as oauth from 'openid-client';
import { AuthorizationCode } from 'simple-oauth2';
import { beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS, SCOPES } from '../../generated/server.ts';
import { DEMO, demoRedirectUri } from '../../server/demo.ts';
import { MAYA } from '../support/consent.ts';
import { engines } from '../support/database.ts';
import { newApplication, REDIRECT_URI, statusWith } from '../support/oauth.ts';
import { testServer } from '../support/started.ts';
import { newVisitor } from '../support/visitor.ts';

const EVERYTHING = SCOPES.userToken.join(' ');
/** Client IDs and secrets that form encoding changes. OAuth requires it before Basic (RFC 6749, section 2.3.1). */
const AWKWARD_CLIENTS = [
  ['percent signs', '100%25', '50% off, %41 and %'],
  ['plus signs and spaces', 'rides + more', ' a+b  c '],
  ['a colon in the secret', 'colons', ':a:b:'],
  ['URL punctuation', 'a&b=c?d#e/f', '!\'()*~;,@$[]{}|\\^`<>"'],
] as const;
const NON_ASCII_CLIENT = ['non-ASCII letters', 'fahrgäste', 'schlüssel-鍵-🔑'] as const;

/** Maya opens an authorization URL in a new browser, signs in and decides. @returns the redirect to another origin */
async function redirectAfter(url: string | URL, decision: 'allow' | 'deny'): Promise<URL> {
  const visitor = newVisitor(new URL(url).origin);
  await visitor.open(String(url));
  await visitor.submit(MAYA);
  const { location, text } = await visitor.submit({ decision });
  if (location === null) throw new Error(`The response is not a redirect to another origin: ${text}`);
  return location;
}

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine, { rateLimitMultiplier: 1000 });
  let callback: string;
  beforeAll(() => {
    callback = demoRedirectUri(server.parts.publicUrl);
  });

  describe('openid-client', () => {
    let metadata: oauth.ServerMetadata;
    beforeAll(async () => {
      const { publicUrl } = server.parts;
      const published = await oauth.discovery(new URL(publicUrl), DEMO.clientId, undefined, undefined, {
        algorithm: 'oauth2',
        execute: [oauth.allowInsecureRequests],
        [oauth.customFetch]: (url, options) => fetch(url.replace(publicUrl, server.baseUrl), options as RequestInit),
      });
      const reachable = JSON.parse(JSON.stringify(published.serverMetadata()).replaceAll(publicUrl, server.baseUrl));
      metadata = { ...reachable, issuer: publicUrl };
    });

    function clientOf(id: string = DEMO.clientId, secret: string = DEMO.clientSecret): oauth.Configuration {
      const client = new oauth.Configuration(metadata, id, undefined, oauth.ClientSecretBasic(secret));
      oauth.allowInsecureRequests(client);
      return client;
    }

    /** @returns the redirect after the decision, and the values that the application keeps to check it */
    async function consent(decision: 'allow' | 'deny', client = clientOf(), redirect_uri = callback) {
      const pkceCodeVerifier = oauth.randomPKCECodeVerifier();
      const expectedState = oauth.randomState();
      const url = oauth.buildAuthorizationUrl(client, {
        redirect_uri,
        scope: EVERYTHING,
        state: expectedState,
        code_challenge: await oauth.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: 'S256',
      });
      return { arrival: await redirectAfter(url, decision), kept: { pkceCodeVerifier, expectedState } };
    }

    test('learns from the metadata what the server supports', () => {
      const { service_documentation, authorization_endpoint, token_endpoint, revocation_endpoint, ...rest } = metadata;
      expect(rest).toEqual({
        issuer: server.parts.publicUrl,
        scopes_supported: [...SCOPES.userToken, 'events'],
        response_types_supported: ['code'],
        response_modes_supported: ['query'],
        grant_types_supported: ['client_credentials', 'authorization_code', 'refresh_token'],
        token_endpoint_auth_methods_supported: ['client_secret_basic'],
        revocation_endpoint_auth_methods_supported: ['client_secret_basic'],
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
      });
      expect(revocation_endpoint).toBe(server.baseUrl + OPERATIONS.revokeToken.path);
      expect(service_documentation).toBe(`${server.baseUrl}/docs`);
    });

    test('gets a token that acts for the passenger who allowed it', async () => {
      const { arrival, kept } = await consent('allow');
      const tokens = await oauth.authorizationCodeGrant(clientOf(), arrival, kept);
      expect(tokens).toMatchObject({ token_type: 'bearer', scope: EVERYTHING, refresh_token: expect.any(String) });
      expect(tokens.expiresIn()).toBeGreaterThan(3500);
      const profile = new URL(server.baseUrl + OPERATIONS.getProfile.path);
      const answer = await oauth.fetchProtectedResource(clientOf(), tokens.access_token, profile, 'GET');
      expect(await answer.json()).toMatchObject({ first_name: 'Maya' });
    });

    test('gets an error when the passenger denies access', async () => {
      const { arrival, kept } = await consent('deny');
      const failure = oauth.authorizationCodeGrant(clientOf(), arrival, kept);
      await expect(failure).rejects.toBeInstanceOf(oauth.AuthorizationResponseError);
      const error_description = 'The passenger denied access.';
      await expect(failure).rejects.toMatchObject({ error: 'access_denied', error_description });
    });

    test('gets a client token, or a challenge when its secret is wrong', async () => {
      const tokens = await oauth.clientCredentialsGrant(clientOf(), { scope: 'public' });
      expect(tokens).toMatchObject({ token_type: 'bearer', scope: 'public' });
      const failure = oauth.clientCredentialsGrant(clientOf(DEMO.clientId, 'wrong'));
      await expect(failure).rejects.toBeInstanceOf(oauth.WWWAuthenticateChallengeError);
      const cause = [{ scheme: 'basic', parameters: { realm: 'ridehail', charset: 'UTF-8' } }];
      await expect(failure).rejects.toMatchObject({ status: 401, cause });
    });

    test.each([...AWKWARD_CLIENTS, NON_ASCII_CLIENT])(
      'gets, renews and revokes a token with %s in its credentials',
      async (_, id, secret) => {
        await newApplication(server, id, secret);
        const client = clientOf(id, secret);
        const { arrival, kept } = await consent('allow', client, REDIRECT_URI);
        const { refresh_token = '' } = await oauth.authorizationCodeGrant(client, arrival, kept);
        const renewed = await oauth.refreshTokenGrant(client, refresh_token, { scope: 'profile' });
        expect([renewed.scope, await statusWith(server, renewed.access_token)]).toEqual(['profile', 200]);
        await oauth.tokenRevocation(client, refresh_token);
        expect(await statusWith(server, renewed.access_token)).toBe(401);
      },
    );
  });

  describe('simple-oauth2', () => {
    const clients = [
      ['json', 'letters', 'letters', 'letters'],
      ...AWKWARD_CLIENTS.map((client) => ['form', ...client] as const),
    ] as const;

    test.each(clients)(
      'gets, renews and revokes a token by %s, with %s in its credentials',
      async (bodyFormat, _, id, secret) => {
        await newApplication(server, id, secret);
        const client = new AuthorizationCode({
          client: { id, secret },
          auth: {
            tokenHost: server.baseUrl,
            tokenPath: OPERATIONS.createToken.path,
            revokePath: OPERATIONS.revokeRefreshToken.path,
            authorizePath: OPERATIONS.authorizeApplication.path,
          },
          options: { bodyFormat },
        });
        const state = 'a state & more';
        const asked = { redirect_uri: REDIRECT_URI, scope: EVERYTHING, state };
        const { searchParams } = await redirectAfter(client.authorizeURL(asked), 'allow');
        expect(searchParams.get('state')).toBe(state);
        const first = await client.getToken({ code: searchParams.get('code')!, redirect_uri: REDIRECT_URI });
        expect(first.token).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: EVERYTHING });
        expect(first.expired()).toBe(false);
        const second = await first.refresh();
        const statuses = () =>
          Promise.all([first, second].map(({ token }) => statusWith(server, String(token.access_token))));
        expect(await statuses()).toEqual([200, 200]);
        await first.revoke('refresh_token');
        expect(await statuses()).toEqual([401, 401]);
        await expect(first.refresh()).rejects.toMatchObject({ data: { payload: { error: 'invalid_grant' } } });
      },
    );
  });
});
