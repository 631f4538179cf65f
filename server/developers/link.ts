import { DAY_MS } from '../domain/time.ts';
import { hashOf, newToken } from '../oauth/secrets.ts';
import type { Parts } from '../parts.ts';
import type { DeveloperLink } from '../store/developer-links.ts';

/** How long the link to a new account works. */
export const NEW_ACCOUNT_LINK_TTL_MS = 7 * DAY_MS;
/** Shorter: the developer is waiting for it, and the account owns applications. */
export const RESET_LINK_TTL_MS = DAY_MS;

/** A single-use link for a developer. No email is sent: the operator passes it on. */
export interface HandedLink {
  readonly url: string;
  /** Real time, in milliseconds UTC. */
  readonly expiresAt: number;
}

/** A link to pass on, and the row to store for it. */
export interface NewLink extends HandedLink {
  readonly row: DeveloperLink;
}

/** @param page a page of the portal; @param field its query parameter for the token */
export function newLink(
  { randomBytes, publicUrl }: Pick<Parts, 'randomBytes' | 'publicUrl'>,
  { page, field }: { readonly page: string; readonly field: string },
  row: Omit<DeveloperLink, 'tokenHash'>,
): NewLink {
  const token = newToken(randomBytes);
  return {
    url: `${publicUrl}${page}?${new URLSearchParams({ [field]: token })}`,
    expiresAt: row.expiresAt,
    row: { ...row, tokenHash: hashOf(token) },
  };
}
