import { setTimeout as sleep } from 'node:timers/promises';

/** Ends a sleep early. If nothing sleeps, `wake` ends the next sleep immediately. For one sleeper at a time. */
export function newWakeup() {
  let alarm = new AbortController();
  return {
    wake: (): void => alarm.abort(),
    /** Resolves when `wake` is called, or after `longestMs`. */
    sleep: async (longestMs: number): Promise<void> => {
      // an aborted sleep rejects
      await sleep(longestMs, undefined, { signal: alarm.signal }).catch(() => {});
      alarm = new AbortController();
    },
  };
}
