import { FairQueue } from './fair-queue.ts';

/** More jobs of a flow wait than may. */
export class TooManyJobs extends Error {
  override readonly name = 'TooManyJobs';
}

/**
 * Runs at most so many jobs at once. Jobs of one flow run in order of arrival, and flows take turns.
 * @param waiting jobs of a flow that wait. A further one throws TooManyJobs
 * @param ofAFlow jobs of a flow that run at once
 */
export function fairJobs(
  most: number,
  { waiting: mostWaiting = Number.POSITIVE_INFINITY, ofAFlow = most } = {},
): <T>(flow: string, job: () => Promise<T>) => Promise<T> {
  const queue = new FairQueue<() => void>(most);
  return async (name, job) => {
    const flow = queue.part(name, ofAFlow);
    if (flow.hasRoom()) flow.begin();
    else if (flow.waiting >= mostWaiting) throw new TooManyJobs();
    else await new Promise<void>((begin) => flow.add(begin));
    try {
      return await job();
    } finally {
      flow.end();
      queue.nextPart()?.start()();
    }
  };
}
