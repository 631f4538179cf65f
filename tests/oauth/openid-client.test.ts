import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretBasic,
  Configuration,
  calculatePKCECodeChallenge,
  clientCredentialsGrant,
  fetchProtectedResource,
  ResponseBodyError,
  randomPKCECodeVerifier,
  randomState,
  refreshTokenGrant,
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
const CLIENTS = [...AWKWARD_CLIENTS, ['letters beyond ASCII', 'fahrgäste', 'schlüssel-鍵-🔑']] as const;

describe.each(engines)('openid-client on %s', (engine) => {
  const server = testServer(engine, { rateLimitMultiplier: 1000 });
  let demo: Configuration;
  beforeAll(() => {
    demo = clientOf(DEMO.clientId, DEMO.clientSecret);
  });

  function clientOf(id: string, secret: string): Configuration {
    const metadata = {
      issuer: server.baseUrl,
      authorization_endpoint: server.baseUrl + OPERATIONS.authorizeApplication.path,
      token_endpoint: server.baseUrl + OPERATIONS.createToken.path,
      revocation_endpoint: server.baseUrl + OPERATIONS.revokeRefreshToken.path,
    };
    const client = new Configuration(metadata, id, undefined, ClientSecretBasic(secret));
    allowInsecureRequests(client);
    return client;
  }

  /** Sends Maya to the server to answer. @returns where she comes back to, and what the application kept to check it */
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

  test('gets a token that acts for the passenger who allowed it', async () => {
    const tokens = await tokensAfter(ALLOW);
    expect(tokens).toMatchObject({ token_type: 'bearer', scope: EVERYTHING, refresh_token: expect.any(String) });
    expect(tokens.expiresIn()).toBeGreaterThan(3500);
    const profile = new URL(server.baseUrl + OPERATIONS.getProfile.path);
    const answer = await fetchProtectedResource(demo, tokens.access_token, profile, 'GET');
    expect(await answer.json()).toMatchObject({ first_name: 'Maya' });
  });

  test('is told when the passenger denied', async () => {
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

  test('renews a token, with fewer scopes if it likes, never with more', async () => {
    const { refresh_token: refreshToken = '' } = await tokensAfter({ ...ALLOW, scope: ['profile', 'offline'] });
    expect((await refreshTokenGrant(demo, refreshToken)).scope).toBe('public rides.read profile offline');
    expect((await refreshTokenGrant(demo, refreshToken, { scope: 'rides.read' })).scope).toBe('rides.read');
    const more = refreshTokenGrant(demo, refreshToken, { scope: 'rides.request' });
    await expect(more).rejects.toMatchObject({ status: 400, error: 'invalid_scope' });
  });

  test('gets a token of its own, for public things', async () => {
    const tokens = await clientCredentialsGrant(demo, { scope: 'public' });
    expect(tokens).toMatchObject({ token_type: 'bearer', scope: 'public' });
  });

  test('is told how to authenticate when its secret is wrong', async () => {
    const failure = clientCredentialsGrant(clientOf(DEMO.clientId, 'wrong'));
    await expect(failure).rejects.toBeInstanceOf(WWWAuthenticateChallengeError);
    await expect(failure).rejects.toMatchObject({
      status: 401,
      cause: [{ scheme: 'basic', parameters: { realm: 'ridehail', charset: 'UTF-8' } }],
    });
  });

  test.each(CLIENTS)('goes all the way with %s in its credentials', async (_, id, secret) => {
    await newApplication(server, id, secret);
    const client = clientOf(id, secret);
    const tokens = await tokensAfter(ALLOW, client, 'https://app.example/callback');
    const renewed = await refreshTokenGrant(client, tokens.refresh_token ?? '');
    expect(await statusWith(server, renewed.access_token)).toBe(200);
    await tokenRevocation(client, tokens.refresh_token ?? '');
    expect(await statusWith(server, renewed.access_token)).toBe(401);
  });
});
