import { saysExpired } from './tokens/token-expired.ts';
import type { TokenSource } from './tokens/token-source.ts';
import { checkReadable, UnreadableResponse } from './unreadable.ts';
import { pause, unlessAborted } from './waiting.ts';

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
}

/** All waits of a call together. */
const MOST_WAITING_MS = 60_000;
const FIRST_WAIT_MS = 500;

/** Adds the token to requests, renews it if it has expired, and repeats GETs that may succeed later. */
export function sender(fetch: Fetch, { source, retries = 0, random = Math.random, wait = pause }: Sending = {}): Fetch {
  /** The failures of connections. Other parts of a call can throw a TypeError too. */
  const lost = new WeakSet<object>();

  async function sendOnce(request: Request, token: string | undefined): Promise<Response> {
    const copy = request.clone();
    if (token !== undefined) copy.headers.set('Authorization', `Bearer ${token}`);
    try {
      const response = await fetch(copy);
      await checkReadable(response);
      return response;
    } catch (error) {
      // fetch throws it if the connection fails, also while the body arrives
      if (error instanceof TypeError) lost.add(error);
      throw error;
    }
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
      const isLast = attempt >= retries || request.method !== 'GET';
      const waitMs = isLast ? null : waitBefore(outcome, lost, FIRST_WAIT_MS * 2 ** attempt, random());
      if (waitMs === null || waited + waitMs > MOST_WAITING_MS) {
        if ('response' in outcome) return outcome.response;
        throw outcome.error;
      }
      await wait(waitMs, request.signal);
      waited += waitMs;
    }
  };
}

type Outcome = { readonly response: Response } | { readonly error: unknown };
const EITHER = [(response: Response): Outcome => ({ response }), (error: unknown): Outcome => ({ error })] as const;

/** @returns milliseconds; null if repeating the call would not help */
function waitBefore(outcome: Outcome, lost: WeakSet<object>, backoffMs: number, chance: number): number | null {
  // half to all of it, so that clients that failed together do not come back together
  const jittered = (backoffMs * (1 + chance)) / 2;
  const response = 'response' in outcome ? outcome.response : responseIn(outcome.error);
  if (response === null) return 'error' in outcome && lost.has(outcome.error as object) ? jittered : null;
  if (response.status !== 429 && response.status !== 503) return null;
  const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN);
  return Number.isNaN(seconds) ? jittered : Math.max(0, seconds) * 1000 + jittered;
}

/** A proxy may respond with a page of its own, and the status of a server that is restarting. */
function responseIn(error: unknown): Response | null {
  return error instanceof UnreadableResponse ? error.response : null;
}
