import createFetchClient from 'openapi-fetch';
import { bindOperations } from '../../generated/client.ts';
import type { components, paths } from '../../generated/types.ts';
import { CallError, type FailedResult, resultOf } from '../result.ts';
import { UnreadableResponse } from '../unreadable.ts';
import { inTime } from '../waiting.ts';
import type { TokenSource } from './token-source.ts';

/** Tokens as the client keeps and hands them out. */
export interface Tokens {
  readonly accessToken: string;
  /** When the access token expires, in milliseconds since 1970. */
  readonly expiresAt: number;
  /** The latest refresh token. A client without a passenger has none. */
  readonly refreshToken: string | undefined;
  /** The scopes of the access token, separated by spaces. */
  readonly scope: string;
}

/** Gets tokens without a passenger. */
interface ClientCredentials {
  readonly clientId: string;
  /** Never in a browser: anyone who has it can act as your application. */
  readonly clientSecret: string;
  readonly refreshToken?: null | undefined;
  /** Called with each new token, before it is used. */
  readonly onTokens?: ((tokens: Tokens) => unknown) | undefined;
}

/** Gets tokens of a passenger. */
interface PassengerCredentials extends Omit<ClientCredentials, 'refreshToken' | 'onTokens'> {
  /** The latest one, or a function that reads it where `onTokens` stores it, if several processes renew the tokens. */
  readonly refreshToken: string | (() => string | Promise<string>);
  /** The access token that you already have. Without one, the client gets one before the first call. */
  readonly accessToken?: string | undefined;
  /** When it expires, in milliseconds since 1970. Without it, the client uses the token until the API rejects it. */
  readonly expiresAt?: number | undefined;
  /**
   * Store the tokens here: if your application rotates refresh tokens, the earlier one soon stops working. The client
   * waits for it before it uses them. If it throws, so do the calls that wait for the token, and the next call offers the
   * same tokens again.
   */
  readonly onTokens: (tokens: Tokens) => unknown;
}

export type Credentials = ClientCredentials | PassengerCredentials;

/**
 * Each request for tokens, and each call of the application's functions. A renewal that hangs would block all calls. Three
 * requests fit into the 30 seconds for which the API still accepts a refresh token that it has replaced.
 */
export const LONGEST_STEP_MS = 10_000;

/** RFC 6750, section 2.1. A header cannot contain all other characters, and the error would show the token. */
const B64TOKEN = /^[\w.~+/-]+=*$/;

/** Renews a token this long before it expires, or after nine tenths of its lifetime. */
const MOST_EARLY_MS = 60_000;

/**
 * A source of tokens that it gets with the credentials. Calls that need a new token at the same time share one request.
 * @param fetch repeats requests, and throws UnreadableResponse if something else responds
 * @throws CallError if the API refuses
 */
export function renewingToken(
  baseUrl: string,
  credentials: Credentials,
  fetch: (request: Request) => Promise<Response>,
  now: () => number = Date.now,
): TokenSource {
  const { clientId, clientSecret, onTokens, refreshToken } = credentials;
  const { createToken } = bindOperations(createFetchClient<paths>({ baseUrl, fetch, redirect: 'manual' }));
  const hasPassenger = refreshToken !== undefined && refreshToken !== null;
  let renewed: string | undefined;
  let current = ofOurs(credentials);
  /** Tokens that `onTokens` has not stored yet. The API has replaced the earlier refresh token by theirs. */
  let unsaved: Tokens | undefined;
  let underWay: Promise<string> | undefined;

  async function askForTokens(): Promise<Tokens> {
    const stored =
      typeof refreshToken === 'function'
        ? await inTime(LONGEST_STEP_MS, 'refreshToken', () => refreshToken())
        : (renewed ?? refreshToken ?? undefined);
    const latest = unsaved?.refreshToken ?? stored;
    const { data, error, unreadable, response }: TokenResult = await resultOf(
      createToken({
        headers: { Authorization: `Basic ${btoa(`${encode(clientId)}:${encode(clientSecret)}`)}` },
        body: hasPassenger
          ? { grant_type: 'refresh_token', refresh_token: latest }
          : { grant_type: 'client_credentials' },
      }),
    );
    if (!data?.access_token || !B64TOKEN.test(data.access_token) || !Number.isFinite(data.expires_in)) {
      // without its text, which may contain a secret
      const strange = error ? undefined : new UnreadableResponse(response, '').unreadable;
      throw new CallError('The access token could not be renewed.', {
        error,
        unreadable: unreadable ?? strange,
        response,
      });
    }
    return {
      accessToken: data.access_token,
      expiresAt: now() + data.expires_in * 1000,
      refreshToken: data.refresh_token ?? latest,
      scope: data.scope,
    };
  }

  async function renew(): Promise<string> {
    if (unsaved === undefined || now() >= unsaved.expiresAt) unsaved = await askForTokens();
    const tokens = unsaved;
    await inTime(LONGEST_STEP_MS, 'onTokens', () => onTokens?.(tokens));
    unsaved = undefined;
    renewed = tokens.refreshToken;
    const lifetimeMs = tokens.expiresAt - now();
    current = { accessToken: tokens.accessToken, renewAt: tokens.expiresAt - Math.min(MOST_EARLY_MS, lifetimeMs / 10) };
    return tokens.accessToken;
  }

  return (expired) => {
    if (current && current.accessToken !== expired && now() < current.renewAt) return current.accessToken;
    underWay ??= renew().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
}

interface TokenResult extends FailedResult {
  readonly data?: components['schemas']['Token'];
}

function ofOurs(credentials: Credentials): { readonly accessToken: string; readonly renewAt: number } | undefined {
  if (!credentials.refreshToken || credentials.accessToken === undefined) return undefined;
  const { accessToken, expiresAt = Number.POSITIVE_INFINITY } = credentials;
  return { accessToken, renewAt: expiresAt - MOST_EARLY_MS };
}

/** RFC 6749, section 2.3.1: both parts are form-encoded first. */
function encode(part: string): string {
  return new URLSearchParams({ '': part }).toString().slice(1);
}
