import { FairQueue } from './fair-queue.ts';

/** Runs at most so many jobs at once. Jobs of one flow run in order of arrival, and flows take turns. */
export function fairJobs(most: number): <T>(flow: string, job: () => Promise<T>) => Promise<T> {
  const queue = new FairQueue<() => void>(most);
  return async (name, job) => {
    const flow = queue.part(name);
    if (flow.hasRoom()) flow.begin();
    else await new Promise<void>((begin) => flow.add(begin));
    try {
      return await job();
    } finally {
      flow.end();
      queue.nextPart()?.start()();
    }
  };
}
