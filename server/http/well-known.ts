import type { IRouter } from 'express';
import { authorizationServerMetadata } from '../oauth/metadata.ts';
import type { Parts } from '../parts.ts';
import { methodNotAllowed } from './failures.ts';

/** Where OAuth clients look for the endpoints (RFC 8414, section 3). */
const METADATA_PATH = '/.well-known/oauth-authorization-server';

/** Serves the metadata of the authorization server. */
export function addMetadata(router: IRouter, { publicUrl }: Pick<Parts, 'publicUrl'>): void {
  const metadata = authorizationServerMetadata(publicUrl);
  router
    .route(METADATA_PATH)
    .get((_req, res) => void res.set('Cache-Control', 'no-cache').json(metadata))
    .all(methodNotAllowed(['GET', 'HEAD']));
}
