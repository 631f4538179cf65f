import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { builtServer } from './built-server.ts';
import { freePort } from './free-port.ts';

/** A server in a process of its own. */
export interface ServerProcess {
  readonly child: ChildProcess;
  readonly port: number;
  readonly baseUrl: string;
  /** Standard output and error so far, together. */
  output(): string;
  /** The exit code; null if a signal killed it. */
  readonly exitCode: Promise<number | null>;
  /** Sends a signal and resolves to the exit code; null if the signal killed it. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
}

/**
 * Starts a server on a free port and waits for its `ready` line. Throws an Error with its output if it ends first.
 * @param deployed the folder in which a built server is in dist/, and runs; otherwise one is built
 */
export async function startServerProcess(
  environment: Record<string, string>,
  deployed?: string,
): Promise<ServerProcess> {
  const port = Number(environment.PORT ?? (await freePort()));
  const child = spawn(process.execPath, [deployed ? 'dist/server/main.js' : await builtServer()], {
    cwd: deployed,
    env: {
      ...process.env,
      // tests have a Redis at REDIS_URL, which is not for every server that they start
      REDIS_URL: undefined,
      ...{ LOG_LEVEL: 'silent', NODE_ENV: 'development', ...environment, PORT: String(port) },
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  const exitCode = once(child, 'exit').then(([code]) => code as number | null);
  await Promise.race([
    ready(child),
    exitCode.then((code) => {
      throw new Error(`The server ended with ${code}: ${output}`);
    }),
  ]);
  return {
    child,
    port,
    baseUrl: `http://localhost:${port}`,
    output: () => output,
    exitCode,
    end: (signal) => {
      child.kill(signal);
      return exitCode;
    },
  };
}

async function ready(child: ChildProcess): Promise<void> {
  const lines = createInterface({ input: child.stdout! });
  for await (const line of lines) if (line.includes('ready')) return;
  // never resolves: the exit code says why the output ended
  await new Promise(() => {});
}
