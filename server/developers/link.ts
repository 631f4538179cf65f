import { DAY_MS } from '../domain/time.ts';
import { hashOf, newToken } from '../oauth/secrets.ts';
import type { Parts } from '../parts.ts';
import type { DeveloperLink } from '../store/developer-links.ts';

/** How long the links to a new account work. */
export const NEW_ACCOUNT_LINK_TTL_MS = 7 * DAY_MS;
/** Shorter: the developer waits for it, and the account has applications. */
export const RESET_LINK_TTL_MS = DAY_MS;

/** A link for a developer. No mail is sent: the operator hands it on. It works once. */
export interface HandedLink {
  readonly url: string;
  /** Real milliseconds UTC. */
  readonly expiresAt: number;
}

/** A link to hand on, and what to store of it. */
export interface NewLink extends HandedLink {
  readonly row: DeveloperLink;
}

/** @param page a page of the portal; @param field of its query that takes the token */
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
