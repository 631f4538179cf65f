import { fork } from 'node:child_process';
import { once } from 'node:events';

/** The id of an event, and the instant of the 200. */
export type Answered = readonly [eventId: string, at: number];

export type ToReceivers =
  | { readonly listen: number }
  /** So many, from the first on, accept what comes and never answer. */
  | { readonly hang: number };

export type FromReceivers = { readonly ports: readonly number[] } | { readonly answered: readonly Answered[] };

/** Receivers in a process of their own, so that they take no turn of the sender's event loop. */
export interface Receivers {
  readonly urls: readonly string[];
  /** Lets so many hang from now on, and the others answer. */
  hang(count: number): void;
  close(): Promise<void>;
}

/** @param onAnswered is told some milliseconds later what was answered with 200, also what came twice */
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
