import { PAGES } from '../generated/client.ts';
import type { operations } from '../generated/types.ts';
import { checkBaseUrl } from './base-url.ts';

/** The query of an authorization request. */
export type AuthorizationQuery = {
  [Name in keyof Query]: undefined extends Query[Name] ? Query[Name] | undefined : Query[Name];
};
type Query = operations['authorizeApplication']['parameters']['query'];

/**
 * The URL where a passenger allows or denies access (RFC 6749, section 4.1.1). Omits undefined parameters.
 * @param baseUrl the API's URL, without a path: `https://api.example.com`
 * @throws TypeError if it is not one
 */
export function authorizationUrl(baseUrl: string, query: AuthorizationQuery): string {
  checkBaseUrl(baseUrl);
  const said = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) said.set(name, value);
  const origin = baseUrl.endsWith('/') ? baseUrl.slice(0, -1) : baseUrl;
  return `${origin}${PAGES.authorizeApplication}?${said}`;
}
