import { OPERATIONS, SCOPES } from '../../generated/server.ts';
import { GRANTS } from './grants/grants.ts';

/** The metadata that OAuth clients read about this server (RFC 8414). */
export function authorizationServerMetadata(publicUrl: string): object {
  return {
    issuer: publicUrl,
    authorization_endpoint: publicUrl + OPERATIONS.authorizeApplication.path,
    token_endpoint: publicUrl + OPERATIONS.createToken.path,
    scopes_supported: SCOPES.userToken,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: GRANTS.map(({ name }) => name),
    token_endpoint_auth_methods_supported: ['client_secret_basic'],
    revocation_endpoint: publicUrl + OPERATIONS.revokeToken.path,
    revocation_endpoint_auth_methods_supported: ['client_secret_basic'],
    code_challenge_methods_supported: ['S256'],
    service_documentation: `${publicUrl}/docs`,
  };
}
