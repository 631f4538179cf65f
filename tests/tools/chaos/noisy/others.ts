import { fork } from 'node:child_process';
import { once } from 'node:events';
import { OPERATIONS } from '../../../../generated/server.ts';
import type { AtEnd } from '../at-end.ts';
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

export const CALLS_PER_SECOND = 40;
const WHERE = '?lat=37.7955&lng=-122.3937';

/**
 * Starts the others in a separate process, so that an attack does not use their event loop. @returns a function that
 * measures their calls for some time
 */
export function startCallers(baseUrl: string, atEnd: AtEnd): (forMs: number) => Promise<readonly Call[]> {
  const child = fork(new URL('./others-process.ts', import.meta.url), { execArgv: ['--import', 'tsx'] });
  const gone = once(child, 'exit');
  atEnd(async () => {
    if (child.connected) child.disconnect();
    await gone;
  });
  const url = baseUrl + OPERATIONS.listRideTypes.path + WHERE;
  return async (forMs) => {
    const message: ToOthers = { url, token: OTHERS.token, perSecond: CALLS_PER_SECOND, forMs };
    child.send(message);
    const answered = once(child, 'message').then(([calls]) => calls as readonly Call[]);
    const failed = gone.then(([code]) => {
      throw new Error(`The process that makes the measured calls exited with code ${code}.`);
    });
    return Promise.race([answered, failed]);
  };
}
