import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretBasic,
  Configuration,
  calculatePKCECodeChallenge,
  clientCredentialsGrant,
  customFetch,
  discovery,
  fetchProtectedResource,
  ResponseBodyError,
  randomPKCECodeVerifier,
  randomState,
  refreshTokenGrant,
  type ServerMetadata,
  tokenRevocation,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import { beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS, SCOPES } from '../../generated/server.ts';
import { DEMO, demoRedirectUri } from '../../server/demo.ts';
import { engines } from '../support/database.ts';
import { newApplication, statusWith } from '../support/oauth.ts';
import { testServer } from '../support/started.ts';
import type { FormValues } from '../support/visitor.ts';
import { answerAt } from './support/answer-at.ts';
import { AWKWARD_CLIENTS } from './support/awkward-clients.ts';

const EVERYTHING = SCOPES.userToken.join(' ');
const ALLOW = { decision: 'allow' };
const CLIENTS = [...AWKWARD_CLIENTS, ['non-ASCII letters', 'fahrgäste', 'schlüssel-鍵-🔑']] as const;

describe.each(engines)('openid-client on %s', (engine) => {
  const server = testServer(engine, { rateLimitMultiplier: 1000 });
  let metadata: ServerMetadata;
  let demo: Configuration;
  beforeAll(async () => {
    const { publicUrl } = server.parts;
    const published = await discovery(new URL(publicUrl), DEMO.clientId, undefined, undefined, {
      algorithm: 'oauth2',
      execute: [allowInsecureRequests],
      [customFetch]: (url, options) => fetch(url.replace(publicUrl, server.baseUrl), options as RequestInit),
    });
    metadata = JSON.parse(JSON.stringify(published.serverMetadata()).replaceAll(publicUrl, server.baseUrl));
    demo = clientOf(DEMO.clientId, DEMO.clientSecret);
  });

  function clientOf(id: string, secret: string): Configuration {
    const client = new Configuration(metadata, id, undefined, ClientSecretBasic(secret));
    allowInsecureRequests(client);
    return client;
  }

  /** Maya answers the consent page. @returns the redirect, and the values that the application keeps to check it */
  async function consent(answer: FormValues, client = demo, redirectUri = demoRedirectUri(server.parts.publicUrl)) {
    const pkceCodeVerifier = randomPKCECodeVerifier();
    const expectedState = randomState();
    const url = buildAuthorizationUrl(client, {
      redirect_uri: redirectUri,
      scope: EVERYTHING,
      state: expectedState,
      code_challenge: await calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    });
    return { arrival: await answerAt(url, answer), kept: { pkceCodeVerifier, expectedState } };
  }

  async function tokensAfter(answer: FormValues, ...from: [client?: Configuration, redirectUri?: string]) {
    const { arrival, kept } = await consent(answer, ...from);
    return authorizationCodeGrant(from[0] ?? demo, arrival, kept);
  }

  test('learns from the metadata what the server supports', () => {
    const { service_documentation, authorization_endpoint, token_endpoint, revocation_endpoint, ...rest } = metadata;
    expect(rest).toEqual({
      issuer: server.baseUrl,
      scopes_supported: SCOPES.userToken,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['client_credentials', 'authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['client_secret_basic'],
      revocation_endpoint_auth_methods_supported: ['client_secret_basic'],
      code_challenge_methods_supported: ['S256'],
    });
    expect(revocation_endpoint).toBe(server.baseUrl + OPERATIONS.revokeToken.path);
    expect(service_documentation).toBe(`${server.baseUrl}/docs`);
  });

  test('gets a token that acts for the passenger who allowed it', async () => {
    const tokens = await tokensAfter(ALLOW);
    expect(tokens).toMatchObject({ token_type: 'bearer', scope: EVERYTHING, refresh_token: expect.any(String) });
    expect(tokens.expiresIn()).toBeGreaterThan(3500);
    const profile = new URL(server.baseUrl + OPERATIONS.getProfile.path);
    const answer = await fetchProtectedResource(demo, tokens.access_token, profile, 'GET');
    expect(await answer.json()).toMatchObject({ first_name: 'Maya' });
  });

  test('gets an error when the passenger denies access', async () => {
    const { arrival, kept } = await consent({ decision: 'deny' });
    const failure = authorizationCodeGrant(demo, arrival, kept);
    await expect(failure).rejects.toBeInstanceOf(AuthorizationResponseError);
    const error_description = 'The passenger denied access.';
    await expect(failure).rejects.toMatchObject({ error: 'access_denied', error_description });
  });

  test('is refused with another verifier', async () => {
    const { arrival, kept } = await consent(ALLOW);
    const failure = authorizationCodeGrant(demo, arrival, { ...kept, pkceCodeVerifier: randomPKCECodeVerifier() });
    await expect(failure).rejects.toBeInstanceOf(ResponseBodyError);
    await expect(failure).rejects.toMatchObject({ status: 400, error: 'invalid_grant' });
  });

  test('renews a token with the same or fewer scopes, but never with more', async () => {
    const { refresh_token: refreshToken = '' } = await tokensAfter({ ...ALLOW, scope: ['profile', 'offline'] });
    expect((await refreshTokenGrant(demo, refreshToken)).scope).toBe('public rides.read profile offline');
    expect((await refreshTokenGrant(demo, refreshToken, { scope: 'rides.read' })).scope).toBe('rides.read');
    const more = refreshTokenGrant(demo, refreshToken, { scope: 'rides.request' });
    await expect(more).rejects.toMatchObject({ status: 400, error: 'invalid_scope' });
  });

  test('gets a client token with the scope public', async () => {
    const tokens = await clientCredentialsGrant(demo, { scope: 'public' });
    expect(tokens).toMatchObject({ token_type: 'bearer', scope: 'public' });
  });

  test('gets a challenge when its secret is wrong', async () => {
    const failure = clientCredentialsGrant(clientOf(DEMO.clientId, 'wrong'));
    await expect(failure).rejects.toBeInstanceOf(WWWAuthenticateChallengeError);
    await expect(failure).rejects.toMatchObject({
      status: 401,
      cause: [{ scheme: 'basic', parameters: { realm: 'ridehail', charset: 'UTF-8' } }],
    });
  });

  test.each(CLIENTS)('gets, renews and revokes a token with %s in its credentials', async (_, id, secret) => {
    await newApplication(server, id, secret);
    const client = clientOf(id, secret);
    const tokens = await tokensAfter(ALLOW, client, 'https://app.example/callback');
    const renewed = await refreshTokenGrant(client, tokens.refresh_token ?? '');
    expect(await statusWith(server, renewed.access_token)).toBe(200);
    await tokenRevocation(client, tokens.refresh_token ?? '');
    expect(await statusWith(server, renewed.access_token)).toBe(401);
  });
});
