import { SECOND_MS } from '../domain/time.ts';

/** Keys that a rate limit counts at once, such as passengers. @beyond the key whose window ends first starts over */
export const MOST_KEYS_OF_A_LIMIT = 100_000;

export interface Counted {
  readonly calls: number;
  readonly msLeft: number;
}

/** Counts a call with a key in a bucket. A counter shared by several processes is asynchronous. */
export type CountCall = (
  window: { readonly bucket: string; readonly windowSeconds: number },
  key: string,
) => Counted | Promise<Counted>;

interface Window {
  calls: number;
  /** In milliseconds of the process clock. */
  readonly endsAt: number;
}

/** Counts calls in this process only. */
export function countInMemory(): (...call: Parameters<CountCall>) => Counted {
  const counters = new Map<string, ReturnType<typeof countInWindows>>();
  return ({ bucket, windowSeconds }, key) => {
    const counter = counters.get(bucket) ?? countInWindows(windowSeconds);
    counters.set(bucket, counter);
    return counter.count(key);
  };
}

/** Counts calls by key in windows of one length. A window begins with its first call. */
export function countInWindows(
  windowSeconds: number,
  mostKeys = MOST_KEYS_OF_A_LIMIT,
): { readonly count: (key: string) => Counted; readonly size: () => number } {
  const windowMs = windowSeconds * SECOND_MS;
  // a Map keeps insertion order, so the window that ends first comes first
  const windows = new Map<string, Window>();
  let forgetting: NodeJS.Timeout | undefined;

  // a window that ends more than `windowMs` from now began before the clock was set back
  const isOver = ({ endsAt }: Window, now: number) => endsAt <= now || endsAt > now + windowMs;
  const forget = () => {
    const now = Date.now();
    for (const [key, window] of windows) {
      if (!isOver(window, now)) return;
      windows.delete(key);
    }
    clearInterval(forgetting);
    forgetting = undefined;
  };
  const begin = (key: string, now: number): Window => {
    windows.delete(key);
    const [first] = windows.size < mostKeys ? [] : windows.keys();
    if (first !== undefined) windows.delete(first);
    const window = { calls: 0, endsAt: now + windowMs };
    windows.set(key, window);
    forgetting ??= setInterval(forget, SECOND_MS).unref();
    return window;
  };

  const count = (key: string): Counted => {
    const now = Date.now();
    const known = windows.get(key);
    const window = known === undefined || isOver(known, now) ? begin(key, now) : known;
    window.calls += 1;
    return { calls: window.calls, msLeft: window.endsAt - now };
  };
  return { count, size: () => windows.size };
}
