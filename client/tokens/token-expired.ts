/** The access token has expired, and the client could not renew it. The API says so in a header, without a body. */
export interface TokenExpired {
  readonly error: 'token_expired';
  readonly error_description: string;
  readonly error_detail: { readonly [name: string]: string }[];
}

export const TOKEN_EXPIRED: TokenExpired = {
  error: 'token_expired',
  error_description: 'The access token has expired. Renew it, then repeat the call.',
  error_detail: [],
};

export function saysExpired(response: Response): boolean {
  return response.status === 401 && response.headers.get('error') === TOKEN_EXPIRED.error;
}
