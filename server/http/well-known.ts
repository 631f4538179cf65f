import type { IRouter } from 'express';
import { OPERATIONS, SCOPES } from '../../generated/server.ts';
import { GRANTS } from '../oauth/grants/grants.ts';
import type { Parts } from '../parts.ts';
import { methodNotAllowed } from './failures.ts';

/** Where OAuth clients look for the endpoints (RFC 8414, section 3). */
const METADATA_PATH = '/.well-known/oauth-authorization-server';

/** Serves the metadata that OAuth clients read about this server (RFC 8414). */
export function addMetadata(router: IRouter, { publicUrl }: Pick<Parts, 'publicUrl'>): void {
  const metadata = {
    issuer: publicUrl,
    authorization_endpoint: publicUrl + OPERATIONS.authorizeApplication.path,
    token_endpoint: publicUrl + OPERATIONS.createToken.path,
    scopes_supported: [...new Set([...SCOPES.userToken, ...SCOPES.clientToken])],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: GRANTS.map(({ name }) => name),
    token_endpoint_auth_methods_supported: ['client_secret_basic'],
    revocation_endpoint: publicUrl + OPERATIONS.revokeToken.path,
    revocation_endpoint_auth_methods_supported: ['client_secret_basic'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${publicUrl}/docs`,
  };
  router
    .route(METADATA_PATH)
    .get((_req, res) => void res.set('Cache-Control', 'no-cache').json(metadata))
    .all(methodNotAllowed(['GET', 'HEAD']));
}
