import { saysExpired } from './tokens/token-expired.ts';
import type { TokenSource } from './tokens/token-source.ts';
import { checkReadable, UnreadableResponse } from './unreadable.ts';
import { inTime, pause, unlessAborted } from './waiting.ts';

type Fetch = (request: Request) => Promise<Response>;

/** What differs from run to run. */
export interface Platform {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** A number from 0 to 1. */
  readonly random: () => number;
  readonly wait: typeof pause;
}

interface Sending extends Partial<Platform> {
  readonly source?: TokenSource | undefined;
  readonly retries?: number;
  /** For requests for tokens, which can be repeated like GETs: ends each of them after this time. */
  readonly renewalMs?: number;
}

/** All waits of a call together. The rate limits of the API are per minute. */
const MOST_WAITING_MS = 60_000;
const FIRST_WAIT_MS = 500;

/** Adds the token to requests, renews it if it has expired, and repeats GETs that may succeed later. */
export function sender(fetch: Fetch, sending: Sending): Fetch {
  const { source, retries = 0, renewalMs, now = Date.now, random = Math.random, wait = pause } = sending;
  /** The failures of connections. Other parts of a call can throw a TypeError too. */
  const lost = new WeakSet<object>();

  async function sendOnce(request: Request, token: string | undefined): Promise<Response> {
    const copy = request.clone();
    if (token !== undefined) copy.headers.set('Authorization', `Bearer ${token}`);
    try {
      if (renewalMs === undefined) return await fetchReadable(copy);
      return await inTime(renewalMs, 'The request for a token', (signal) =>
        fetchReadable(new Request(copy, { signal })),
      );
    } catch (error) {
      // fetch throws it if the connection fails, also while the body arrives
      if (error instanceof TypeError) lost.add(error);
      throw error;
    }
  }

  async function fetchReadable(request: Request): Promise<Response> {
    const response = await fetch(request);
    await checkReadable(response);
    return response;
  }

  async function sendWithToken(request: Request): Promise<Response> {
    if (source === undefined || request.headers.has('Authorization')) return sendOnce(request, undefined);
    request.signal.throwIfAborted();
    const token = await unlessAborted(request.signal, source());
    const response = await sendOnce(request, token);
    if (!saysExpired(response)) return response;
    // the API refused the call before it did anything, so any method can be repeated
    const renewed = await unlessAborted(request.signal, source(token));
    return renewed === token ? response : sendOnce(request, renewed);
  }

  return async (request) => {
    let waited = 0;
    for (let attempt = 0; ; attempt++) {
      const outcome = await sendWithToken(request).then(...EITHER);
      const isLast = attempt >= retries || (request.method !== 'GET' && renewalMs === undefined);
      const askedMs = isLast ? null : askedWait(outcome, lost, now());
      // half to all of it, so that clients that failed together do not come back together
      const jitter = (FIRST_WAIT_MS * 2 ** attempt * (1 + random())) / 2;
      if (askedMs === null || waited + Math.max(askedMs, 1) > MOST_WAITING_MS) {
        if ('response' in outcome) return outcome.response;
        throw outcome.error;
      }
      const waitMs = Math.min(askedMs + jitter, MOST_WAITING_MS - waited);
      await wait(waitMs, request.signal);
      waited += waitMs;
    }
  };
}

type Outcome = { readonly response: Response } | { readonly error: unknown };
const EITHER = [(response: Response): Outcome => ({ response }), (error: unknown): Outcome => ({ error })] as const;

/** @returns the milliseconds that the response asks for; null if repeating the call would not help */
function askedWait(outcome: Outcome, lost: WeakSet<object>, now: number): number | null {
  const response = 'response' in outcome ? outcome.response : responseIn(outcome.error);
  if (response === null) return 'error' in outcome && lost.has(outcome.error as object) ? 0 : null;
  const isOfProxy = 'error' in outcome && response.status > 500;
  if (response.status !== 429 && response.status !== 503 && !isOfProxy) return null;
  const said = response.headers.get('Retry-After') || '0';
  const ms = Number.isNaN(Number(said)) ? Date.parse(said) - now : Number(said) * 1000;
  return Math.max(0, ms) || 0;
}

/** A proxy may respond with a page of its own while the server is away. */
function responseIn(error: unknown): Response | null {
  return error instanceof UnreadableResponse ? error.response : null;
}
