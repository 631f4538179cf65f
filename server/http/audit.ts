import type { Request } from 'express';
import { type Audit, auditTo } from '../audit.ts';
import type { Granted } from '../oauth/grants/grant.ts';
import type { Parts } from '../parts.ts';
import { networksOf } from './network.ts';
import { notesOf } from './notes.ts';

export function auditOf({ logger }: Pick<Parts, 'logger'>, req: Request): Audit {
  return auditTo(logger, () => ({
    // the address is undefined only after the connection closes
    network: networksOf(req.ip).narrow,
    // a route's pattern contains no ids and no query
    operation: notesOf(req).call?.operation ?? (req.route ? String(req.route.path) : null),
    requestId: notesOf(req).id,
  }));
}

/** Records that a token was issued, without the token. */
export function auditToken(
  audit: Audit,
  { application, grant }: { readonly application: string; readonly grant: string },
  { passengerId, worldId, scopes }: Pick<Granted, 'passengerId' | 'worldId' | 'scopes'>,
): void {
  const to = { application, passenger: passengerId, world: worldId };
  audit({ event: 'token_issued', result: 'succeeded', ...to, grant, scopes });
}
