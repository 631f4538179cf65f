import { Router } from 'express';
import { authorizationServerMetadata } from '../oauth/metadata.ts';
import type { Parts } from '../parts.ts';
import { methodNotAllowed } from './failures.ts';

/** Where OAuth clients look for the endpoints (RFC 8414, section 3). */
const METADATA_PATH = '/.well-known/oauth-authorization-server';

export function wellKnownRouter({ publicUrl }: Pick<Parts, 'publicUrl'>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const metadata = authorizationServerMetadata(publicUrl);
  router.get(METADATA_PATH, (_req, res) => void res.set('Cache-Control', 'no-cache').json(metadata));
  router.all(METADATA_PATH, methodNotAllowed(['GET', 'HEAD']));
  return router;
}
