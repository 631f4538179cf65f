import { Writable } from 'node:stream';
import { vi } from 'vitest';
import { ridehailServer } from '../../server/cli/ridehail-server.ts';

/** What a command printed, and its exit code. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Runs a command of ridehail-server in this process, which takes much less time than in its own. */
export async function runHere(words: readonly string[], environment: Environment = {}): Promise<Ended> {
  for (const [variable, value] of Object.entries(environment)) vi.stubEnv(variable, value);
  const printed = { stdout: '', stderr: '' };
  const streamTo = (name: keyof typeof printed) => {
    const write = (chunk: Buffer, _: unknown, done: () => void) => {
      printed[name] += chunk;
      done();
    };
    return new Writable({ write });
  };
  try {
    const code = await ridehailServer(words, { stdout: streamTo('stdout'), stderr: streamTo('stderr') });
    return { code, ...printed };
  } finally {
    vi.unstubAllEnvs();
  }
}
