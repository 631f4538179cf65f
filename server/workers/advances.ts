import { Refusal } from '../domain/refusal.ts';

/** The sandboxes being advanced, so that a server can stop between two steps. */
export interface Advances {
  /**
   * Runs an advance, which calls `assertGoingOn` before each step. After `stop` that throws temporarily_unavailable.
   */
  run<T>(advance: (assertGoingOn: () => void) => Promise<T>): Promise<T>;
  /** Lets no further step begin. Resolves when the steps in progress are recorded. */
  stop(): Promise<void>;
}

export function newAdvances(): Advances {
  const underWay = new Set<Promise<unknown>>();
  let isStopped = false;
  const assertGoingOn = () => {
    if (isStopped) throw new Refusal('temporarily_unavailable', 'The server is about to end; try again shortly.');
  };
  return {
    run: async (advance) => {
      const running = advance(assertGoingOn);
      underWay.add(running);
      return running.finally(() => underWay.delete(running));
    },
    stop: async () => {
      isStopped = true;
      await Promise.allSettled(underWay);
    },
  };
}
