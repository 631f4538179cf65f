import type { Request } from 'express';
import { hashOf } from '../oauth/secrets.ts';
import { notesOf } from './notes.ts';

/** Whether a call sent a bearer token, valid or not. Other schemes do not count (RFC 6750, section 3.1). */
export function broughtToken(req: Request): boolean {
  return /^Bearer\b/i.test(req.headers.authorization ?? '');
}

/** RFC 6750, section 2.1, but only with the characters of our tokens: base64url. */
const BEARER = /^Bearer +([A-Za-z0-9_-]+) *$/i;

/** The token of a Bearer header; undefined for any other header. */
export function bearerTokenOf(authorization: string): string | undefined {
  return BEARER.exec(authorization)?.[1];
}

/** The hash of a request's token or other credentials, computed once. Undefined without credentials. */
export function credentialsHashOf(req: Request): string | undefined {
  const { authorization } = req.headers;
  if (authorization === undefined) return undefined;
  const notes = notesOf(req);
  notes.credentialsHash ??= hashOf(bearerTokenOf(authorization) ?? authorization);
  return notes.credentialsHash;
}
