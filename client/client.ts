import createFetchClient, { defaultPathSerializer } from 'openapi-fetch';
import { type BoundOperations, bindOperations } from '../generated/client.ts';
import type { paths } from '../generated/types.ts';
import { checkBaseUrl } from './base-url.ts';
import { type Result, resultOf } from './result.ts';
import { type Platform, sender } from './send.ts';
import { type Credentials, LONGEST_STEP_MS, renewingToken } from './tokens/renewing-token.ts';
import type { TokenSource } from './tokens/token-source.ts';
import { signalOfCall, unlessAborted } from './waiting.ts';

export interface ClientOptions {
  /** The API's URL, without a path: `https://api.example.com`. */
  readonly baseUrl: string;
  /**
   * The access token; a function that returns it; or, only on a server, the client ID and secret, with which the client
   * gets tokens and renews them. Not required for calls without authentication. A call with an `Authorization` header
   * of its own is sent without this token.
   */
  readonly token?: string | TokenSource | Credentials | undefined;
  /** For tests, proxies and instrumentation. Default: the platform's fetch. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
  /**
   * How often to repeat a GET after 429, 503, a lost connection or a proxy's page with 502 or 504. Default: 3. The
   * client waits for as long as `Retry-After` says, and at most a minute in all. It renews tokens in the same way. Other
   * calls are never repeated.
   */
  readonly retries?: number | undefined;
}

/** One method per operation. Each resolves to a `Result`. */
export type Operations = {
  [Id in keyof BoundOperations]: (
    ...init: Parameters<BoundOperations[Id]>
  ) => Promise<Result<Awaited<ReturnType<BoundOperations[Id]>>>>;
};

/**
 * A typed client with one method per operation. A call rejects only if no response arrives, if its `signal` ends it, or
 * if there is no token.
 *
 * ```ts
 * const api = createClient({ baseUrl: 'http://localhost:8080', token });
 * const { data: ride, error, unreadable } = await api.getRide({ params: { path: { ride_id } } });
 * ```
 * @param platform the clock, chance and timer; for tests
 * @throws TypeError if the base URL is not a URL
 */
export function createClient(
  { baseUrl, token, fetch, retries = 3 }: ClientOptions,
  platform: Partial<Platform> = {},
): Operations {
  checkBaseUrl(baseUrl);
  const sendOnce = fetch ?? ((request) => globalThis.fetch(request));
  const sendRenewal = sender(sendOnce, { retries, renewalMs: LONGEST_STEP_MS, ...platform });
  const source = typeof token === 'object' ? renewingToken(baseUrl, token, sendRenewal, platform.now) : sourceOf(token);
  const client = createFetchClient<paths>({
    baseUrl,
    pathSerializer,
    fetch: sender(sendOnce, { source, retries, ...platform }),
  });
  const settled = Object.fromEntries(
    METHODS.map((method) => [method, settle(client[method], method === 'GET' ? 'follow' : 'manual')]),
  );
  return bindOperations({ ...client, ...settled } as typeof client) as Operations;
}

function sourceOf(token: string | TokenSource | undefined): TokenSource | undefined {
  return typeof token === 'string' ? () => token : token;
}

type Call = (path: never, init?: Pick<RequestInit, 'signal' | 'redirect'>) => Promise<{ readonly response: Response }>;

/** @param redirect `manual` returns the redirect as a response, which is unreadable; `error` would look like a lost connection */
function settle(call: unknown, redirect: 'follow' | 'manual'): Call {
  const send: Call = (path, init) => (call as Call)(path, { redirect, ...init });
  return async (path, init) => {
    if (!init?.signal) return resultOf(send(path, init));
    // Node's Request forgets its signal when memory is cleaned up, so the call listens to it itself
    const own = signalOfCall(init.signal);
    return unlessAborted(own.signal, resultOf(send(path, { ...init, signal: own.signal }))).finally(own.forget);
  };
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** A browser removes these from a URL, and the call would reach another operation. */
const NOT_IN_A_PATH = ['', '.', '..'];

function pathSerializer(path: string, parameters: Record<string, unknown>): string {
  for (const [name, value] of Object.entries(parameters)) {
    if (NOT_IN_A_PATH.includes(String(value)))
      throw new TypeError(`${name} cannot be '${value}': it is part of the path.`);
  }
  return defaultPathSerializer(path, parameters);
}
