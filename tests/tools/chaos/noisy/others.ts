import { fork } from 'node:child_process';
import { once } from 'node:events';
import { OPERATIONS } from '../../../../generated/server.ts';
import { OTHERS } from './tenants.ts';

/** A call of the others, or a webhook that arrived for them. */
export interface Call {
  /** When it was planned, in milliseconds since the measurement began. */
  readonly at: number;
  readonly ms: number;
  /** Null if it succeeded. */
  readonly failure: string | null;
}

export interface ToOthers {
  readonly url: string;
  readonly token: string;
  readonly perSecond: number;
  readonly forMs: number;
}

/** Measures how attacks affect the others. */
export interface Meter {
  measure(forMs: number): Promise<readonly Call[]>;
  close(): Promise<void>;
}

export const CALLS_PER_SECOND = 40;

/** Starts the others in a separate process, so that an attack does not use their event loop. */
export async function startCallers(baseUrl: string): Promise<Meter> {
  const child = fork(new URL('./others-process.ts', import.meta.url), { execArgv: ['--import', 'tsx'] });
  const gone = once(child, 'exit');
  const url = baseUrl + OPERATIONS.listRideTypes.path + WHERE;
  return {
    measure: async (forMs) => {
      const message: ToOthers = { url, token: OTHERS.token, perSecond: CALLS_PER_SECOND, forMs };
      child.send(message);
      const answered = once(child, 'message').then(([calls]) => calls as readonly Call[]);
      const failed = gone.then(([code]) => {
        throw new Error(`The process that makes the measured calls exited with code ${code}.`);
      });
      return Promise.race([answered, failed]);
    },
    close: async () => {
      if (child.connected) child.disconnect();
      await gone;
    },
  };
}

const WHERE = '?lat=37.7955&lng=-122.3937';
