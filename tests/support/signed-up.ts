import { SCOPES } from '../../generated/server.ts';
import type { Environment } from '../../server/domain/application.ts';
import { ADA, pathOfRequest, queryOfRequest } from './consent.ts';
import { credentialsOf, type MadeApplication } from './made-application.ts';
import { askToken } from './oauth.ts';
import type { TestServer } from './server.ts';
import { newVisitor, type Visitor } from './visitor.ts';

/** A passenger who signed up with the form, and their browser. */
export interface SignedUp {
  readonly email: string;
  readonly visitor: Visitor;
}

/** The tokens that an application got from a passenger. */
export interface Grant {
  readonly accessToken: string;
  readonly refreshToken: string;
}

let count = 0;

/** Signs up a new passenger and signs them in. @param application the application that sent them */
export async function signUp({ baseUrl }: TestServer, application: MadeApplication): Promise<SignedUp> {
  count += 1;
  const who = { ...ADA, email: `ada.${count}@example.com` };
  const visitor = newVisitor(baseUrl);
  await visitor.open(`/sign-up?${queryOfRequest(askedBy(application))}`);
  await visitor.submit(who);
  await visitor.submit({ password: who.password });
  return { email: who.email, visitor };
}

/** Allows an application the given scopes. @returns the code */
export async function allow(
  { visitor }: SignedUp,
  application: MadeApplication,
  scopes: readonly string[] = SCOPES.userToken,
): Promise<string> {
  await visitor.open(pathOfRequest(askedBy(application, scopes)));
  const { location, text } = await visitor.submit({ decision: 'allow' });
  const code = location?.searchParams.get('code');
  if (!code || !location!.href.startsWith(application.redirectUri))
    throw new Error(`The redirect has no code: ${location} ${text}`);
  return code;
}

/** Allows an application the given scopes, and exchanges the code with one of its secrets. */
export async function grant(
  server: TestServer,
  passenger: SignedUp,
  application: MadeApplication,
  environment: Environment = 'live',
  scopes?: readonly string[],
): Promise<Grant> {
  const code = await allow(passenger, application, scopes);
  const { status, body } = await trade(server, code, credentialsOf(application, environment));
  if (status !== 200) throw new Error(`createToken failed: ${JSON.stringify(body)}`);
  return { accessToken: body.access_token, refreshToken: body.refresh_token };
}

export function trade(server: TestServer, code: string, credentials: Readonly<Record<string, string>>) {
  return askToken(server, { grant_type: 'authorization_code', code }, credentials);
}

export function renew(server: TestServer, refreshToken: string, credentials: Readonly<Record<string, string>>) {
  return askToken(server, { grant_type: 'refresh_token', refresh_token: refreshToken }, credentials);
}

/** A client token from an application's secret. */
export async function clientToken(
  server: TestServer,
  application: MadeApplication,
  environment: Environment = 'live',
): Promise<string> {
  const { status, body } = await askToken(
    server,
    { grant_type: 'client_credentials' },
    credentialsOf(application, environment),
  );
  if (status !== 200) throw new Error(`createToken failed: ${JSON.stringify(body)}`);
  return body.access_token;
}

function askedBy({ id, redirectUri }: MadeApplication, scopes: readonly string[] = SCOPES.userToken) {
  return { client_id: id, redirect_uri: redirectUri, scope: scopes.join(' ') };
}
