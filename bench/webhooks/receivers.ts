import { fork } from 'node:child_process';
import { once } from 'node:events';

/** The id of an event, and the time of the 200. */
export type Answered = readonly [eventId: string, at: number];

/**
 * Starts receivers in a separate process, so they don't block the sender's event loop.
 * @param onAnswered receives each 200 some milliseconds later, including the 200s of repeated events
 */
export async function startReceivers(count: number, onAnswered: (answered: readonly Answered[]) => void) {
  const child = fork(new URL('./receivers-process.js', import.meta.url), [String(count)]);
  const [ports] = (await once(child, 'message')) as [readonly number[]];
  child.on('message', onAnswered);
  return {
    urls: ports.map((port) => `http://127.0.0.1:${port}/webhooks`),
    /** From now on the first `count` receivers hang: they accept requests and never respond. */
    hang: (hanging: number) => void child.send(hanging),
    close: async () => {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}
