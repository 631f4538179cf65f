import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Answered } from './receivers-process.ts';

/** Receivers in a separate process, so they don't block the sender's event loop. */
export interface Receivers {
  readonly urls: readonly string[];
  /** From now on the first `count` receivers hang: they accept requests and never respond. */
  hang(count: number): void;
  close(): Promise<void>;
}

/** @param onAnswered receives each 200 some milliseconds later, including the 200s of repeated events */
export async function startReceivers(
  count: number,
  onAnswered: (answered: readonly Answered[]) => void,
): Promise<Receivers> {
  const program = new URL('./receivers-process.ts', import.meta.url);
  const child = fork(program, [String(count)], { execArgv: ['--import', 'tsx'] });
  const [ports] = await once(child, 'message');
  child.on('message', (answered: readonly Answered[]) => onAnswered(answered));
  return {
    urls: (ports as readonly number[]).map((port) => `http://127.0.0.1:${port}/webhooks`),
    hang: (hanging) => void child.send(hanging),
    close: async () => {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}
