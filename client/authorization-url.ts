import { PAGES } from '../generated/client.ts';
import type { operations } from '../generated/types.ts';

/** What an application asks a passenger for. */
export type AuthorizationQuery = operations['authorizeApplication']['parameters']['query'];

/**
 * Where to send a passenger's browser so that they allow or deny access (RFC 6749, section 4.1.1). What is undefined is left out.
 * @param baseUrl where the API is, without a path: `https://api.example.com`
 */
export function authorizationUrl(baseUrl: string, query: AuthorizationQuery): string {
  const said = Object.entries(query).filter(([, value]) => value !== undefined);
  return `${baseUrl}${PAGES.authorizeApplication}?${new URLSearchParams(said)}`;
}
