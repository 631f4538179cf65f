import { once } from 'node:events';
import { cpuOf, spawnOn } from './cores.ts';
import type { Job, Sent } from './load-process.ts';

/** The cost of a span of requests. */
export interface Span {
  readonly requests: number;
  readonly milliseconds: number;
  /** Microseconds of CPU time of the server. */
  readonly cpu: number;
}

export interface Loader {
  /** Throws an Error with the response if its status is unexpected. */
  send(job: Job, what: string, serversPid: number): Promise<Span>;
  close(): Promise<void>;
}

/** Starts the process that sends the requests, on its own core. */
export async function startLoader(core: number): Promise<Loader> {
  const program = new URL('./load-process.ts', import.meta.url).pathname;
  const child = spawnOn(core, ['--import', 'tsx', program], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const ended = once(child, 'exit');
  const failed = ended.then(([code]) => {
    throw new Error(`The process that sends requests exited with code ${code}.`);
  });
  failed.catch(() => {});
  const told = async <Told>(): Promise<Told> => (await Promise.race([once(child, 'message'), failed]))[0];
  await told();
  return {
    send: async (job, what, serversPid) => {
      const before = cpuOf(serversPid);
      const sent = told<Sent>();
      child.send(job);
      const { milliseconds, fault } = await sent;
      const cpu = cpuOf(serversPid) - before;
      if (fault !== null) throw new Error(`${what}: expected ${job.status}, got ${fault}`);
      return { requests: job.amount, milliseconds, cpu };
    },
    close: async () => {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
