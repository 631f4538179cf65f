import type { Application } from '../domain/applications/application.ts';
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
