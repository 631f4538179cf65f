import { DEFAULT_SCOPES, OPERATIONS, SCOPES } from '../../../generated/server.ts';
import { type KnownScopes, scopesOf } from '../../domain/scopes.ts';
import { DAY_MS } from '../../domain/time.ts';
import type { Grant, Granted, Issuing } from './grant.ts';
import { issueAccessToken } from './user-token.ts';

const CLIENT_TOKEN_TTL_MS = DAY_MS;
const OF_PASSENGERS = {
  scopes: SCOPES.userToken,
  whyNot: 'it requires the consent of a passenger, and a client token has none',
};

const [TO_READ_EVENTS] = OPERATIONS.listWebhookEvents.security;
const LIVE_EVENTS: KnownScopes = {
  scopes: TO_READ_EVENTS.scopes,
  whyNot: 'reading live events is turned off in the settings of the application in the developer portal',
};

/** Issues a token to the application itself (RFC 6749, section 4.4). */
export const clientCredentials: Grant = {
  name: 'client_credentials',
  issue: ({ scope }, context) => {
    const { application, world } = context;
    const mayReadEvents = world.kind === 'sandbox' || application.liveEventsSince !== null;
    const allowed = SCOPES.clientToken.filter((name) => mayReadEvents || !LIVE_EVENTS.scopes.includes(name));
    const asksForEvents = LIVE_EVENTS.scopes.some((name) => scope?.split(' ').includes(name));
    const refused = asksForEvents && !mayReadEvents ? LIVE_EVENTS : OF_PASSENGERS;
    return issueClientToken(context, scopesOf(scope, allowed, DEFAULT_SCOPES, refused));
  },
};

/** @param mostMs its lifetime, which is also at most that of every client token */
export function issueClientToken(
  context: Issuing,
  scopes: readonly string[],
  mostMs = CLIENT_TOKEN_TTL_MS,
): Promise<Granted> {
  const granting = { passengerId: null, scopes, codeHash: null, refreshTokenHash: null };
  return issueAccessToken(context, granting, Math.min(mostMs, CLIENT_TOKEN_TTL_MS));
}
