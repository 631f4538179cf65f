export type Advances = ReturnType<typeof newAdvances>;

/** Tracks the sandboxes being advanced, so that a server can stop between two steps. */
export function newAdvances() {
  const underWay = new Set<Promise<unknown>>();
  let isStopped = false;
  return {
    /** Runs an advance, which checks before each step whether the server is stopping. */
    run: async <T>(advance: (isStopping: () => boolean) => Promise<T>): Promise<T> => {
      const running = advance(() => isStopped);
      underWay.add(running);
      return running.finally(() => underWay.delete(running));
    },
    /** Starts no further steps. Resolves when the steps in progress are recorded. */
    stop: async (): Promise<void> => {
      isStopped = true;
      await Promise.allSettled(underWay);
    },
  };
}
