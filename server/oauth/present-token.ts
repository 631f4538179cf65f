import type { Token } from '../../generated/types.ts';
import type { Granted } from './grants/grant.ts';

/** The token response (RFC 6749, section 5.1). */
export function presentToken({ tokenType, accessToken, refreshToken, expiresInSeconds, scopes }: Granted): Token {
  return {
    token_type: tokenType,
    access_token: accessToken,
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    expires_in: expiresInSeconds,
    scope: scopes.join(' '),
  };
}
