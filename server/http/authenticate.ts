import type { Request, RequestHandler } from 'express';
import { OPERATIONS, type OperationId } from '../../generated/server.ts';
import type { Audit } from '../audit.ts';
import { Refusal } from '../domain/refusal.ts';
import { DAY_MS } from '../domain/time.ts';
import { worldTime } from '../domain/worlds/clock.ts';
import { LIVE_WORLD } from '../domain/worlds/live.ts';
import { authenticateClient } from '../oauth/client-authentication.ts';
import type { Parts } from '../parts.ts';
import { ApplicationGone } from '../store/applications.ts';
import { type Bearer, findBearer } from '../store/bearers.ts';
import type { AccessToken } from '../store/tokens.ts';
import { recordCall } from '../store/world-calls.ts';
import { findWorld, WorldGone } from '../store/worlds.ts';
import { auditOf } from './audit.ts';
import { browserCookies, PASSENGER_COOKIES } from './browser.ts';
import type { Caller, ClientCaller } from './caller.ts';
import { bearerTokenOf, broughtToken, credentialsHashOf } from './credentials.ts';
import { callerOf, notesOf } from './notes.ts';
import type { secretThrottle } from './secret-throttle.ts';

const REALM = 'ridehail';

export type Authentication = Pick<
  Parts,
  'store' | 'storeOfSandboxes' | 'now' | 'refusedApplications' | 'refusedPassengers' | 'logger'
>;

export const CALLS_RECORDED_EVERY_MS = DAY_MS;

type Visiting = Parameters<typeof browserCookies>[0];

/** Authenticates the caller by the operation's security in the contract. Throws the Refusal of a 401. */
export function authenticate(
  parts: Authentication & Visiting,
  operation: OperationId,
  countSecret: ReturnType<typeof secretThrottle>,
): RequestHandler {
  const { method, security } = OPERATIONS[operation];
  if (security.length === 0) return receive(parts);
  if (security.some(({ scheme }) => scheme === 'clientBasic')) return authenticateClients(parts, countSecret);
  // writes need the state committed by all servers, not this server's cache
  const find: typeof findBearer = method === 'get' ? (...one) => parts.store.bearers.find(...one) : findBearer;
  return async function authenticateCaller(req, _res, next) {
    const bearer = await tokenBearerOf(parts, req, security as TokenSecurity, find);
    notesOf(req).call!.caller = { ...bearer, hasHungUp: hungUp(req), audit: auditOf(parts, req) };
    next();
  };
}

const hungUp = (req: Request) => () => req.socket.destroyed;

/** Counts only wrong credentials. Looks nothing up without credentials. */
function authenticateClients(parts: Authentication, countSecret: ReturnType<typeof secretThrottle>): RequestHandler {
  return async function authenticateClientOf(req, res, next) {
    const authorization = req.get('authorization') ?? '';
    if (!/^Basic\b/i.test(authorization)) {
      const how = 'Send the client ID and secret with HTTP Basic, not in the body.';
      throw new Refusal('invalid_client', `The client credentials are missing. ${how}`);
    }
    const audit = auditOf(parts, req);
    const settle = await countSecret(req, res, authorization, audit);
    const caller = await clientOf(parts, authorization, audit).catch((error: unknown) => {
      settle(error instanceof Refusal ? 'wrong' : 'unknown');
      throw error;
    });
    settle('right');
    const call = notesOf(req).call!;
    call.caller = { ...caller, hasHungUp: hungUp(req) };
    call.identified = caller;
    next();
  };
}

/** Accepts every browser. The handler checks the cookies. */
function receive(parts: Visiting): RequestHandler {
  const cookies = browserCookies(parts, PASSENGER_COOKIES);
  return function receiveVisitor(req, res, next) {
    cookies.read(req);
    notesOf(req).call!.caller = cookies.visitor(req, res);
    next();
  };
}

function wrongCredentials(): Refusal {
  return new Refusal('invalid_client', 'The client credentials are wrong.');
}

type TokenSecurity = ReadonlyArray<{ readonly scheme: string; readonly scopes: readonly string[] }>;

async function clientOf(
  { store, now, refusedApplications }: Authentication,
  authorization: string,
  audit: Audit,
): Promise<Omit<ClientCaller, 'hasHungUp'>> {
  const realNow = now();
  const client = await authenticateClient(store.db, authorization, realNow);
  const { application, environment } = client;
  const refused = () => {
    audit({ event: 'client_authentication', result: 'failed', application: application?.id ?? null });
    return wrongCredentials();
  };
  if (environment === null || refusedApplications.has(application.id)) throw refused();
  const world = environment === 'live' ? LIVE_WORLD : await findWorld(store.db, application.sandboxWorldId);
  // the application was deleted in the meantime
  if (world === undefined) throw refused();
  return { application, world, realNow, audit, secretHash: client.secretHash };
}

async function tokenBearerOf(
  parts: Authentication,
  req: Request,
  security: TokenSecurity,
  find: typeof findBearer,
): Promise<Omit<Caller, 'hasHungUp' | 'audit'>> {
  const { authorization = '' } = req.headers;
  if (!broughtToken(req)) {
    const how = 'Send the header `Authorization: Bearer <access token>`.';
    throw new Refusal('invalid_token', `The access token is missing. ${how}`);
  }
  const isToken = bearerTokenOf(authorization) !== undefined;
  const bearer = isToken ? await find(parts.store.db, credentialsHashOf(req)!) : undefined;
  if (bearer === undefined || bearer.token.revokedAt !== null || isRefused(parts, bearer)) {
    throw new Refusal('invalid_token', 'The access token is not valid.');
  }
  const realNow = parts.now();
  if (bearer.token.expiresAt <= realNow) throw new Refusal('token_expired', 'The access token has expired.');
  const { application, world, passenger } = bearer;
  const { scopes, expiresAt } = bearer.token;
  notesOf(req).call!.identified = { application, world, scopes };
  assertScope(bearer.token, security);
  noteCall(parts, bearer, realNow);
  return { application, passenger, scopes, expiresAt, world, realNow, at: worldTime(world.clock, realNow) };
}

/** Worlds with a recording in progress. Each has at most one, so that a locked world cannot use up the connections. */
const recording = new Set<string>();

/** Records a call without delaying its response. If the recording fails, the next call is recorded instead. */
function noteCall({ storeOfSandboxes, logger }: Authentication, bearer: Bearer, realNow: number): void {
  const { world, worldLastCalledAt, passenger, passengerLastUsedAt } = bearer;
  if (world.kind === 'live' || recording.has(world.id)) return;
  const latest = Math.min(worldLastCalledAt, passengerLastUsedAt ?? worldLastCalledAt);
  if (realNow - latest < CALLS_RECORDED_EVERY_MS) return;
  recording.add(world.id);
  const called = { worldId: world.id, passengerId: passenger?.id ?? null };
  storeOfSandboxes
    .transaction((tx) => recordCall(tx, called, realNow, CALLS_RECORDED_EVERY_MS))
    .catch((error: unknown) => {
      logger.warn({ err: error, world: world.id }, 'could not record the latest call in a sandbox');
    })
    .finally(() => recording.delete(world.id));
}

/** A passenger's stand-in in a sandbox has the same id. */
function isRefused({ refusedApplications, refusedPassengers }: Authentication, { application, passenger }: Bearer) {
  return refusedApplications.has(application.id) || (passenger !== null && refusedPassengers.has(passenger.id));
}

/**
 * Returns Refusal `invalid_token` if the token was deleted during the request, with its application, world or passenger.
 * Returns `invalid_client` if an application was deleted while it requested a token. Otherwise null.
 * @param error the handler's error
 */
export async function goneMeanwhile(
  parts: Authentication,
  operation: OperationId,
  req: Request,
  error: unknown,
): Promise<Refusal | null> {
  const caller = callerOf(req);
  if (!('scopes' in caller)) {
    // an application's default sandbox is deleted with it
    const isGone = error instanceof ApplicationGone || error instanceof WorldGone;
    return isGone && 'application' in caller ? wrongCredentials() : null;
  }
  if (caller.world.kind === 'live' && !(error instanceof ApplicationGone)) return null;
  const security = OPERATIONS[operation].security as TokenSecurity;
  return tokenBearerOf(parts, req, security, findBearer).then(
    () => null,
    (error: unknown) => (error instanceof Refusal && error.code === 'invalid_token' ? error : null),
  );
}

function assertScope(token: AccessToken, security: TokenSecurity): void {
  const scheme = token.passengerId === null ? 'clientToken' : 'userToken';
  const accepted = security.find((candidate) => candidate.scheme === scheme);
  if (accepted?.scopes.every((scope) => token.scopes.includes(scope))) return;
  if (accepted === undefined) {
    const kind =
      scheme === 'clientToken' ? 'a user token, issued for a passenger' : 'a client token, without a passenger';
    throw new Refusal('insufficient_scope', `This operation requires ${kind}.`);
  }
  const needed = security.flatMap(({ scopes }) => scopes).at(0);
  throw new Refusal('insufficient_scope', `This operation requires a token with the scope ${needed}.`);
}

/** The headers of a 401 (RFC 6750, section 3; RFC 7617, section 2). */
export function challengeOf(operation: OperationId, code: string, hasToken: boolean): Record<string, string> {
  if (code === 'invalid_client') return { 'WWW-Authenticate': `Basic realm="${REALM}", charset="UTF-8"` };
  // RFC 6750 uses invalid_token for an expired token too; the error header distinguishes the two
  const named = code === 'token_expired' ? 'invalid_token' : code;
  const scope = code === 'insufficient_scope' ? `, scope="${OPERATIONS[operation].security[0]?.scopes.join(' ')}"` : '';
  const challenge = hasToken ? `Bearer realm="${REALM}", error="${named}"${scope}` : `Bearer realm="${REALM}"`;
  return { 'WWW-Authenticate': challenge, error: code };
}
