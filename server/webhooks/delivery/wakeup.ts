import { setTimeout as sleep } from 'node:timers/promises';

/** Ends a sleep early. If nothing sleeps, `wake` ends the next sleep immediately. */
export interface Wakeup {
  wake(): void;
  /** Resolves when `wake` is called, or after `longestMs`. For one sleeper at a time. */
  sleep(longestMs: number): Promise<void>;
}

export function newWakeup(): Wakeup {
  let alarm = new AbortController();
  return {
    wake: () => alarm.abort(),
    sleep: async (longestMs) => {
      // an aborted sleep rejects
      await sleep(longestMs, undefined, { signal: alarm.signal }).catch(() => {});
      alarm = new AbortController();
    },
  };
}
