import { DEMO } from '../../server/demo.ts';
import type { Application } from '../../server/domain/application.ts';
import type { Passenger } from '../../server/domain/passenger.ts';
import { HOUR_MS, MINUTE_MS } from '../../server/domain/time.ts';
import { hashOf, newToken } from '../../server/oauth/secrets.ts';
import { insertApplicationIfAbsent } from '../../server/store/applications.ts';
import { saveDecision } from '../../server/store/decisions.ts';
import { insertSession } from '../../server/store/sessions.ts';
import { OF_PASSENGERS } from '../../server/store/sign-in-tables.ts';
import { type AuthorizationCode, insertCode } from '../../server/store/tokens.ts';
import { application } from '../store/samples.ts';
import { basic } from './demo-caller.ts';
import { rawCall } from './raw-call.ts';
import { LIVE, type TestServer } from './server.ts';

export const LIVE_CLIENT = basic(DEMO.clientId, DEMO.clientSecret);
export const SANDBOX_CLIENT = basic(DEMO.clientId, DEMO.sandboxClientSecret);

/** The redirect URI of all applications except the demo application, and URIs that look like it. */
export const REDIRECT_URI = 'https://app.example/callback';
export const LOOKALIKES: readonly string[] = [
  ...['/', '/other', '%2Fother', '?', '?next=1', '#', '#fragment', ' ', '\r\n'].map((end) => REDIRECT_URI + end),
  ...['/', '/call', '/other/../callback', '/Callback', '/%63allback'].map((path) => `https://app.example${path}`),
  'https://elsewhere.example/callback',
  'https://user@app.example/callback',
  'https://app.example@elsewhere.example/callback',
  'https://evil.app.example/callback',
  'https://app.example.elsewhere.example/callback',
  'https://app.example:443/callback',
  'http://app.example/callback',
  'https://APP.example/callback',
  'HTTPS://app.example/callback',
  'https://app.example./callback',
  ' https://app.example/callback',
  'https%3A%2F%2Fapp.example%2Fcallback',
  '/callback',
  'null',
  'https://app.example:8081/callback',
  '//app.example/callback',
  'https:/\\app.example/callback',
  'javascript:alert(1)',
];

/** The redirect URIs of an application with several. The second begins with the first; no LOOKALIKE is one of them. */
export const SEVERAL_URIS: readonly string[] = [
  REDIRECT_URI,
  `${REDIRECT_URI}/mobile`,
  'https://staging.app.example:8443/callback?from=ridehail',
  'com.example.app:/callback',
];
/** Texts that are made of registered URIs but are not registered. */
export const MIXTURES: readonly string[] = [
  'https://staging.app.example:8443/callback',
  ...['?from=ridehail', '/mobil', '/mobile/', '/Mobile', '%2Fmobile'].map((end) => REDIRECT_URI + end),
  'https://staging.app.example:8443/callback?from=ridehail&code=1',
  'https://staging.app.example:8443/callback?from=%72idehail',
  'com.example.app:/callback/mobile',
  'com.example.app://callback',
  'COM.example.app:/callback',
  `${SEVERAL_URIS[0]} ${SEVERAL_URIS[1]}`,
  `${SEVERAL_URIS[0]},${SEVERAL_URIS[1]}`,
  JSON.stringify(SEVERAL_URIS),
];

/** Issues a code to the demo application, as after a consent. It is valid for ten minutes. */
export async function newCode(server: TestServer, passenger: Passenger, change: Partial<AuthorizationCode> = {}) {
  const code = newToken(server.parts.randomBytes);
  const now = server.parts.now();
  await insertCode(server.store.db, {
    codeHash: hashOf(code),
    applicationId: DEMO.clientId,
    passengerId: passenger.id,
    scopes: ['public', 'rides.read', 'rides.request', 'profile', 'offline'],
    redirectUri: 'https://app.example/callback',
    codeChallenge: null,
    issuedAt: now,
    expiresAt: now + 10 * MINUTE_MS,
    usedAt: null,
    ...change,
  });
  return code;
}

/** Signs a passenger in. @returns the Cookie header of their browser */
export async function newSession(server: TestServer, { id }: Pick<Passenger, 'id'>): Promise<string> {
  const token = newToken(server.parts.randomBytes);
  const signedInAt = server.parts.now();
  const session = { tokenHash: hashOf(token), accountId: id, signedInAt, expiresAt: signedInAt + HOUR_MS };
  await insertSession(server.store.db, OF_PASSENGERS, session);
  return `ridehail_session=${token}`;
}

/** Records a passenger's decision on an authorization request. @returns the Cookie header of their browser */
export async function decided(
  server: TestServer,
  passenger: Passenger,
  query: string,
  scopes: readonly string[] | null,
): Promise<string> {
  const cookie = await newSession(server, passenger);
  const [, token = ''] = cookie.split('=');
  const decidedAt = server.parts.now();
  const requestHash = hashOf(new URLSearchParams(query).toString());
  await saveDecision(server.store.db, { sessionHash: hashOf(token), requestHash, scopes, decidedAt });
  return cookie;
}

/** Registers an application. @returns the header with its live credentials */
export async function newApplication(
  server: TestServer,
  id: string,
  secret = `${id}-secret`,
  { redirectUris = [REDIRECT_URI] }: Partial<Pick<Application, 'redirectUris'>> = {},
) {
  const secrets = { liveSecretHash: hashOf(secret), sandboxSecretHash: hashOf(`SANDBOX-${secret}`) };
  const { id: sandboxWorldId } = await server.newWorld({ applicationId: id });
  await insertApplicationIfAbsent(
    server.store.db,
    application({ id, name: id, ...secrets, redirectUris, sandboxWorldId }),
  );
  return basic(id, secret);
}

export interface TokenAnswer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: the body can be anything
  readonly body: any;
}

/** Calls createToken with a JSON body. */
export function askToken(
  server: TestServer,
  parameters: Readonly<Record<string, unknown>>,
  client: Readonly<Record<string, string>> = LIVE_CLIENT,
): Promise<TokenAnswer> {
  return sendTo(server, 'createToken', { headers: client, body: JSON.stringify(parameters) });
}

export async function sendTo(
  server: TestServer,
  operation: 'createToken' | 'revokeToken' | 'revokeRefreshToken',
  call: Parameters<typeof rawCall>[2],
): Promise<TokenAnswer> {
  const response = await rawCall(server.baseUrl, operation, call);
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** A passenger of the live world. Only live passengers can give consent. */
export function newLivePassenger(server: TestServer): Promise<Passenger> {
  return server.newPassenger(LIVE);
}

/** The tokens of a consent to every scope. */
export async function newGrant(server: TestServer, client = LIVE_CLIENT) {
  const passenger = await newLivePassenger(server);
  const code = await newCode(server, passenger);
  const { body } = await askToken(server, { grant_type: 'authorization_code', code }, client);
  return { passenger, code, accessToken: String(body.access_token), refreshToken: String(body.refresh_token) };
}

/** The status of getProfile with an access token: 200 while the token works. */
export async function statusWith(server: TestServer, accessToken: string): Promise<number> {
  return (await server.client({ token: accessToken }).getProfile()).response.status;
}
