import { Refusal } from '../domain/refusal.ts';
import { FairQueue } from '../limits/fair-queue.ts';

export interface Asking {
  /** Callers of one flow wait in sequence, and flows take turns. */
  readonly flow?: string;
  readonly signal?: AbortSignal;
}

interface Waiting {
  readonly begin: () => void;
  /** Refuses the task, unless it has begun. */
  readonly drop: () => void;
}

/**
 * Runs at most `atOnce` tasks concurrently, and queues `mostWaiting` more. Throws Refusal `temporarily_unavailable` for
 * any further task, and for one whose caller disconnects before its turn. If the queue is full, the last task of the
 * longest flow makes room for one of a shorter flow.
 */
export function newHashQueue(atOnce: number, mostWaiting: number) {
  const queue = new FairQueue<Waiting>(atOnce);

  const makeRoom = (flow: FairQueue<Waiting>) => {
    if (queue.waiting < mostWaiting) return;
    const longest = [...queue.parts!.values()].reduce((one, other) => (other.waiting > one.waiting ? other : one));
    if (longest.waiting <= flow.waiting + 1) throw unavailable();
    longest.last!.work!.drop();
  };
  const wait = (flow: FairQueue<Waiting>, signal: AbortSignal | undefined) =>
    new Promise<void>((begin, reject) => {
      const drop = () => {
        if (!job.isListed) return;
        job.leave();
        reject(unavailable());
      };
      const job = flow.add({ begin, drop });
      signal?.addEventListener('abort', drop);
    });

  return async <T>(task: () => Promise<T>, { flow: name = '', signal }: Asking = {}): Promise<T> => {
    if (signal?.aborted) throw unavailable();
    const flow = queue.part(name);
    if (flow.hasRoom()) flow.begin();
    else {
      makeRoom(flow);
      await wait(flow, signal);
    }
    try {
      return await task();
    } finally {
      flow.end();
      queue.nextPart()?.start().begin();
    }
  };
}

function unavailable(): Refusal {
  return new Refusal('temporarily_unavailable', 'Too many people are signing in at the moment. Try again shortly.');
}
