/** Tracks the sandboxes being advanced, so that a server can stop between two steps. */
export interface Advances {
  /** Runs an advance, which checks before each step whether the server is stopping. */
  run<T>(advance: (isStopping: () => boolean) => Promise<T>): Promise<T>;
  /** Starts no further steps. Resolves when the steps in progress are recorded. */
  stop(): Promise<void>;
}

export function newAdvances(): Advances {
  const underWay = new Set<Promise<unknown>>();
  let isStopped = false;
  return {
    run: async (advance) => {
      const running = advance(() => isStopped);
      underWay.add(running);
      return running.finally(() => underWay.delete(running));
    },
    stop: async () => {
      isStopped = true;
      await Promise.allSettled(underWay);
    },
  };
}
