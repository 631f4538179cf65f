import { type Application, type Environment, FIELDS } from '../domain/application.ts';
import { Refusal } from '../domain/refusal.ts';
import { findApplication } from '../store/applications.ts';
import type { Queries } from '../store/schema.ts';
import { basicCredentials } from './basic-credentials.ts';
import { hashOf, isSameHash } from './secrets.ts';

/** An application, and the environment of the secret it sent; null for wrong credentials, with any one they name. */
type Client =
  | { readonly application: Application; readonly environment: Environment; readonly secretHash: string }
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
  return { application, environment: isLive ? 'live' : 'sandbox', secretHash };
}

/**
 * A request may use only one authentication method (RFC 6749, section 2.3), here Basic. Clients of the original API
 * repeat the same credentials in the body. Throws Refusal `invalid_request` if the body has others.
 * @param caller from the Basic credentials
 */
export function assertSameCredentials(
  body: { readonly client_id?: string; readonly client_secret?: string },
  caller: { readonly application: { readonly id: string }; readonly secretHash: string },
): void {
  const differs = (name: string) => {
    const detail = { [name]: 'must match the HTTP Basic credentials' };
    return new Refusal('invalid_request', `The ${name} does not match the HTTP Basic credentials.`, detail);
  };
  if (body.client_secret !== undefined && hashOf(body.client_secret) !== caller.secretHash)
    throw differs('client_secret');
  if (body.client_id !== undefined && body.client_id !== caller.application.id) throw differs('client_id');
}
