import type { Request } from 'express';
import { LINK_FIELDS } from '../links.ts';
import { hashOf } from '../oauth/secrets.ts';
import { type DeveloperLink, findDeveloperLink } from '../store/developer-links.ts';
import type { Queries } from '../store/schema.ts';

/** The format of newToken. */
const TOKEN = /^[\w-]{43}$/;

/** The token in a link's field; null if it's malformed, undefined without the field. */
export function linkTokenIn(sent: unknown): string | null | undefined {
  if (sent === undefined || sent === '') return undefined;
  return typeof sent === 'string' && TOKEN.test(sent) ? sent : null;
}

/** Finds a link without using it. Returns undefined for an expired, used or unknown token. */
export async function findLink(db: Queries, token: string | null, realNow: number): Promise<DeveloperLink | undefined> {
  const link = token === null ? undefined : await findDeveloperLink(db, hashOf(token));
  return link === undefined || link.expiresAt <= realNow ? undefined : link;
}

/** A form's path with its token, without which the form doesn't open again. */
export function withLink({ path, body }: Pick<Request, 'path' | 'body'>): string {
  const kept = Object.values(LINK_FIELDS).flatMap((field) => {
    const token = linkTokenIn(body?.[field]);
    return typeof token === 'string' ? [[field, token] as [string, string]] : [];
  });
  return kept.length === 0 ? path : `${path}?${new URLSearchParams(kept)}`;
}
