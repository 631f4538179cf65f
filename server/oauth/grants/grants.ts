import { authorizationCode } from './authorization-code.ts';
import { clientCredentials } from './client-credentials.ts';
import type { Grant } from './grant.ts';
import { refreshToken } from './refresh-token.ts';

export const GRANTS: readonly Grant[] = [clientCredentials, authorizationCode, refreshToken];
