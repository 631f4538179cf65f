import type { Request } from 'express';
import { hashOf } from '../oauth/secrets.ts';
import { type DeveloperLink, findDeveloperLink } from '../store/developer-links.ts';
import type { Queries } from '../store/schema.ts';

/** The fields that carry the token of a link from an operator, in the query of the link and then in the form. */
export const LINK_FIELDS = { setPassword: 'link', signUp: 'invitation' } as const;

/** As newToken makes them. */
const TOKEN = /^[\w-]{43}$/;

/** What a link's field holds: its token, null for what cannot be one, and undefined without the field. */
export function linkTokenIn(sent: unknown): string | null | undefined {
  if (sent === undefined || sent === '') return undefined;
  return typeof sent === 'string' && TOKEN.test(sent) ? sent : null;
}

/** The link with a token; undefined if it has expired, was used or never existed. It stays. */
export async function findLink(db: Queries, token: string | null, realNow: number): Promise<DeveloperLink | undefined> {
  const link = token === null ? undefined : await findDeveloperLink(db, hashOf(token));
  return link === undefined || link.expiresAt <= realNow ? undefined : link;
}

/** The path of a form, with the token that it was sent with: without it the form cannot be opened again. */
export function withLink({ path, body }: Pick<Request, 'path' | 'body'>): string {
  const kept = Object.values(LINK_FIELDS).flatMap((field) => {
    const token = linkTokenIn(body?.[field]);
    return typeof token === 'string' ? [[field, token] as [string, string]] : [];
  });
  return kept.length === 0 ? path : `${path}?${new URLSearchParams(kept)}`;
}
