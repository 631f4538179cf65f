import { Refusal } from '../domain/refusal.ts';

/**
 * Does at most `atOnce` works at a time, and lets `mostWaiting` more wait, first come, first served. Throws Refusal
 * `temporarily_unavailable` for any other, and for one whose caller is gone before its turn.
 */
export function turns(atOnce: number, mostWaiting: number) {
  let busy = 0;
  const waiting = new Set<() => void>();

  /** Resolves when there is a place. The work before hands its place over. */
  const wait = (signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const leave = () => {
        waiting.delete(begin);
        reject(unavailable());
      };
      const begin = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      signal?.addEventListener('abort', leave);
      waiting.add(begin);
    });

  return async <T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    if (signal?.aborted || (busy >= atOnce && waiting.size >= mostWaiting)) throw unavailable();
    if (busy < atOnce) busy += 1;
    else await wait(signal);
    try {
      return await work();
    } finally {
      const [next] = waiting;
      if (next === undefined) busy -= 1;
      else {
        waiting.delete(next);
        next();
      }
    }
  };
}

function unavailable(): Refusal {
  return new Refusal('temporarily_unavailable', 'Too many people sign in at the moment; try again shortly.');
}
