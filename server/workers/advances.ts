import { Refusal } from '../domain/refusal.ts';

/** The sandboxes that are being advanced, so that a server can end in between. */
export interface Advances {
  /** Runs one that calls `assertGoingOn` before each step: it throws temporarily_unavailable once they are stopped. */
  run<T>(advance: (assertGoingOn: () => void) => Promise<T>): Promise<T>;
  /** Has no step more begun, and resolves when those under way are done and recorded. */
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
