import { startChild } from './child.ts';
import { cpuOf } from './cores.ts';
import type { Call } from './operations.ts';

/** Requests for one server. */
interface Job {
  readonly port: number;
  /** Each connection repeats its own share of the calls. */
  readonly calls: readonly Call[];
  readonly amount: number;
  readonly connections: number;
  /** The expected status of all responses. */
  readonly status: number;
}

/** The cost of a span of requests. */
export interface Span {
  readonly requests: number;
  readonly milliseconds: number;
  /** Microseconds of CPU time of the server. */
  readonly cpu: number;
}

export const timePerRequest = ({ requests, milliseconds }: Span) => milliseconds / requests;
export const cpuPerRequest = ({ requests, cpu }: Span) => cpu / requests;

/** Starts the process that sends the requests, on its own core. */
export async function startLoader(core: number) {
  const { ask, end } = await startChild(core, './load-process.js');
  /** Throws an Error with the response if its status is unexpected. */
  const send = async (job: Job, what: string, serversPid: number): Promise<Span> => {
    const before = cpuOf(serversPid);
    // the fault is the first unexpected response or another problem
    const { milliseconds, fault } = await ask<{ milliseconds: number; fault: string | null }>(job);
    const cpu = cpuOf(serversPid) - before;
    if (fault !== null) throw new Error(`${what}: expected ${job.status}, got ${fault}`);
    return { requests: job.amount, milliseconds, cpu };
  };
  return { send, end };
}
