import createFetchClient, { type ClientOptions as FetchOptions, type Middleware } from 'openapi-fetch';
import { bindOperations, type Operations } from '../generated/client.ts';
import type { paths } from '../generated/types.ts';

export interface ClientOptions {
  /** Where the API is, without a path: `https://api.example.com`. */
  readonly baseUrl: string;
  /** The access token, or where to get it before each call; left out for calls that need none. */
  readonly token?: string | (() => string | Promise<string>);
  /** For tests, proxies and instrumentation; the platform's own unless given. */
  readonly fetch?: FetchOptions['fetch'];
}

/**
 * A typed client: a method per operation, each with openapi-fetch's `{ data, error, response }`. It throws only when no
 * answer came.
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
