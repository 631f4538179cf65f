import { type ServerProcess, startServerProcess } from '../../../scripts/support/server-process.ts';

/** A development server that can be killed and restarted on one database. */
export interface MortalServer {
  /** The current base URL, or the last one if the server is not running. */
  baseUrl(): string;
  /** When the server became ready each time, in milliseconds UTC. */
  readonly starts: readonly number[];
  start(): Promise<void>;
  /** Kills it. Throws if it has already exited. */
  kill(): Promise<void>;
  /** Stops it with SIGTERM. Throws unless it exits with code 0. */
  stop(): Promise<void>;
  /** Kills it if it is running. */
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
    if (code !== wanted) throw new Error(`The server exited with code ${code} after ${signal}: ${server.output()}`);
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
