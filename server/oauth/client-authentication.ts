import type { Application } from '../domain/application.ts';
import { Refusal } from '../domain/refusal.ts';
import { findApplication } from '../store/applications.ts';
import type { Queries } from '../store/schema.ts';
import { hashOf, isSameHash } from './secrets.ts';

/** An application, and the world in which the secret that it showed acts. */
export interface AuthenticatedClient {
  readonly application: Application;
  readonly environment: 'live' | 'sandbox';
}

/** Whom an Authorization header of the Basic scheme proves (RFC 6749, section 2.3.1); null: nobody. */
export async function authenticateClient(db: Queries, authorization: string): Promise<AuthenticatedClient | null> {
  const credentials = parseBasic(authorization);
  if (credentials === null) return null;
  const application = await findApplication(db, credentials.id);
  // an unknown client takes as long as a wrong secret
  const secretHash = hashOf(credentials.secret);
  const isLive = isSameHash(secretHash, application?.liveSecretHash ?? '');
  const isSandbox = isSameHash(secretHash, application?.sandboxSecretHash ?? '');
  if (application === undefined || !(isLive || isSandbox)) return null;
  return { application, environment: isLive ? 'live' : 'sandbox' };
}

/**
 * A request authenticates by one method (RFC 6749, section 2.3), and that is Basic here. Its body may name the client again.
 * Throws Refusal `invalid_request` for a secret in the body, or another client. What is empty is not there.
 * @param applicationId whom Basic proved
 */
export function assertOneAuthentication(
  body: { readonly client_id?: string; readonly client_secret?: string },
  applicationId: string,
): void {
  if (body.client_secret) {
    throw new Refusal('invalid_request', 'The client authenticates twice: send no client_secret beside HTTP Basic.', {
      client_secret: 'must not be sent beside HTTP Basic',
    });
  }
  if (body.client_id && body.client_id !== applicationId) {
    throw new Refusal('invalid_request', 'The client_id is not that of the HTTP Basic credentials.', {
      client_id: 'must be that of the HTTP Basic credentials',
    });
  }
}

function parseBasic(authorization: string): { id: string; secret: string } | null {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization)?.[1];
  if (encoded === undefined) return null;
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? [];
  if (id === undefined || secret === undefined) return null;
  try {
    return { id: formDecode(id), secret: formDecode(secret) };
  } catch {
    return null;
  }
}

/** Client id and secret are form-encoded before they are joined (RFC 6749, appendix B). Throws a URIError for what nobody's can be. */
function formDecode(value: string): string {
  const decoded = decodeURIComponent(value.replaceAll('+', ' '));
  // PostgreSQL takes no NUL, not even to look for it
  if (decoded.includes('\0')) throw new URIError('NUL');
  return decoded;
}
