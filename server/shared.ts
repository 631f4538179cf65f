import { setTimeout as sleep } from 'node:timers/promises';

/** Concurrent calls share one run. */
export function shared<T>(run: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | null = null;
  return () => {
    underWay ??= run().finally(() => {
      underWay = null;
    });
    return underWay;
  };
}

/** A result, or undefined if it takes longer. @param ref whether waiting keeps the process alive */
export async function within<T>(longestMs: number, result: Promise<T>, ref = true): Promise<T | undefined> {
  const waiting = new AbortController();
  const over = sleep(longestMs, undefined, { signal: waiting.signal, ref }).catch(() => undefined);
  return Promise.race([result, over]).finally(() => waiting.abort());
}
