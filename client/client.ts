import createFetchClient, { type ClientOptions as FetchOptions, type Middleware } from 'openapi-fetch';
import { bindOperations, type Operations } from '../generated/client.ts';
import type { paths } from '../generated/types.ts';

export interface ClientOptions {
  /** The API's URL, without a path: `https://api.example.com`. */
  readonly baseUrl: string;
  /**
   * The access token, or a function that returns it before each call. Not required for calls without authentication.
   */
  readonly token?: string | (() => string | Promise<string>);
  /** For tests, proxies and instrumentation. Default: the platform's fetch. */
  readonly fetch?: FetchOptions['fetch'];
}

/**
 * A typed client with one method per operation. Each resolves to openapi-fetch's `{ data, error, response }`, and
 * throws only if no response arrives.
 */
export function createClient({ baseUrl, token, fetch }: ClientOptions): Operations {
  const client = createFetchClient<paths>({ baseUrl, ...(fetch && { fetch }) });
  if (token !== undefined) client.use(bearer(token));
  return bindOperations(client);
}

function bearer(token: NonNullable<ClientOptions['token']>): Middleware {
  return {
    async onRequest({ request }) {
      const value = typeof token === 'function' ? await token() : token;
      request.headers.set('Authorization', `Bearer ${value}`);
      return request;
    },
  };
}
