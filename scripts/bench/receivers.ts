import { fork } from 'node:child_process';
import { once } from 'node:events';

/** The id of an event, and the time of the 200. */
export type Answered = readonly [eventId: string, at: number];

export type ToReceivers =
  | { readonly listen: number }
  /** The number of receivers that accept requests and never respond: the first ones. */
  | { readonly hang: number };

export type FromReceivers = { readonly ports: readonly number[] } | { readonly answered: readonly Answered[] };

/** Receivers in a separate process, so they don't block the sender's event loop. */
export interface Receivers {
  readonly urls: readonly string[];
  /** From now on the first `count` receivers hang, and the others respond. */
  hang(count: number): void;
  close(): Promise<void>;
}

/** @param onAnswered receives each 200 some milliseconds later, including the 200s of repeated events */
export async function startReceivers(
  count: number,
  onAnswered: (answered: readonly Answered[]) => void,
): Promise<Receivers> {
  const child = fork(new URL('./receivers-process.ts', import.meta.url), { execArgv: ['--import', 'tsx'] });
  const ended = once(child, 'exit');
  const say = (message: ToReceivers) => child.send(message);
  const listening = new Promise<readonly number[]>((resolve) => {
    child.on('message', (message: FromReceivers) => {
      if ('ports' in message) resolve(message.ports);
      else onAnswered(message.answered);
    });
  });
  const failed = ended.then(([code]) => {
    throw new Error(`The receivers ended with ${code}.`);
  });
  failed.catch(() => {});
  say({ listen: count });
  const ports = await Promise.race([listening, failed]);
  return {
    urls: ports.map((port) => `http://127.0.0.1:${port}/webhooks`),
    hang: (hanging) => void say({ hang: hanging }),
    close: async () => {
      child.disconnect();
      await ended;
    },
  };
}
