import { type Application, type Environment, FIELDS } from '../domain/application.ts';
import { Refusal } from '../domain/refusal.ts';
import { findApplication } from '../store/applications.ts';
import type { Queries } from '../store/schema.ts';
import { basicCredentials } from './basic-credentials.ts';
import { hashOf, isSameHash } from './secrets.ts';

/** An application, and the environment of the secret it sent; null for wrong credentials, with any one they name. */
type Client =
  | { readonly application: Application; readonly environment: Environment }
  | { readonly application: Application | undefined; readonly environment: null };

/** The client of a Basic Authorization header (RFC 6749, section 2.3.1). A replaced secret stays valid until it ends. */
export async function authenticateClient(db: Queries, authorization: string, realNow: number): Promise<Client> {
  const credentials = basicCredentials(authorization);
  if (credentials === null) return { application: undefined, environment: null };
  const application = await findApplication(db, credentials.id);
  // hash and compare for an unknown client too, so that it takes as long as a wrong secret
  const secretHash = hashOf(credentials.secret);
  const isOf = (environment: Environment) => {
    const { secretHash: current, previousSecretHash: previous, previousSecretEndsAt: end } = FIELDS[environment];
    const isCurrent = isSameHash(secretHash, application?.[current] ?? '');
    const isPrevious = isSameHash(secretHash, application?.[previous] ?? '');
    return isCurrent || (isPrevious && realNow < (application?.[end] ?? 0));
  };
  const [isLive, isSandbox] = [isOf('live'), isOf('sandbox')];
  if (application === undefined || !(isLive || isSandbox)) return { application, environment: null };
  return { application, environment: isLive ? 'live' : 'sandbox' };
}

/**
 * A request may use only one authentication method (RFC 6749, section 2.3), here Basic. Throws Refusal
 * `invalid_request` for a secret or a different client ID in the body.
 * @param applicationId from the Basic credentials
 */
export function assertOneAuthentication(
  body: { readonly client_id?: string; readonly client_secret?: string },
  applicationId: string,
): void {
  if (body.client_secret !== undefined) {
    const sentence =
      'The request authenticates the client twice. Do not send a client_secret together with HTTP Basic.';
    const detail = { client_secret: 'must not be sent together with HTTP Basic' };
    throw new Refusal('invalid_request', sentence, detail);
  }
  if (body.client_id !== undefined && body.client_id !== applicationId) {
    const detail = { client_id: 'must match the HTTP Basic credentials' };
    throw new Refusal('invalid_request', 'The client_id does not match the HTTP Basic credentials.', detail);
  }
}
