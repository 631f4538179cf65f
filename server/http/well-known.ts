import { type RequestHandler, Router } from 'express';
import { authorizationServerMetadata } from '../oauth/metadata.ts';
import type { Parts } from '../parts.ts';
import { byPath } from './by-path.ts';
import { methodNotAllowed } from './failures.ts';

/** Where OAuth clients look for the endpoints (RFC 8414, section 3). */
const METADATA_PATH = '/.well-known/oauth-authorization-server';

export function wellKnownRouter({ publicUrl }: Pick<Parts, 'publicUrl'>): RequestHandler {
  const router = Router({ caseSensitive: true, strict: true });
  const metadata = authorizationServerMetadata(publicUrl);
  router
    .route(METADATA_PATH)
    .get((_req, res) => void res.set('Cache-Control', 'no-cache').json(metadata))
    .all(methodNotAllowed(['GET', 'HEAD']));
  return byPath(router);
}
