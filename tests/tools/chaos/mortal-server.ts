import { type ServerProcess, startServerProcess } from '../../../scripts/support/server-process.ts';

/** A development server that is killed and started again, on one database. */
export interface MortalServer {
  /** Where it is now, or was until it was killed. */
  baseUrl(): string;
  /** When it was ready, each time; milliseconds UTC. */
  readonly starts: readonly number[];
  start(): Promise<void>;
  /** Kills it. Throws an Error when it had ended by itself. */
  kill(): Promise<void>;
  /** Asks it to end. Throws an Error unless it does so with exit code 0. */
  stop(): Promise<void>;
  /** Sees to it that it does not run. */
  end(): Promise<void>;
}

export async function startMortalServer(environment: Record<string, string>): Promise<MortalServer> {
  const starts: number[] = [];
  let server: ServerProcess;
  const start = async () => {
    server = await startServerProcess(environment);
    starts.push(Date.now());
  };
  const endWith = async (signal: 'SIGKILL' | 'SIGTERM', wanted: number | null) => {
    const code = await server.end(signal);
    if (code !== wanted) throw new Error(`The server ended with ${code} at ${signal}: ${server.output()}`);
  };
  await start();
  return {
    baseUrl: () => server.baseUrl,
    starts,
    start,
    kill: () => endWith('SIGKILL', null),
    stop: () => endWith('SIGTERM', 0),
    end: async () => void (await server.end('SIGKILL')),
  };
}
