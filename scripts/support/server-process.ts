import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { builtServer } from './built-server.ts';
import { freePort } from './free-port.ts';

/** A server in a separate process. */
export interface ServerProcess {
  readonly child: ChildProcess;
  readonly port: number;
  readonly baseUrl: string;
  /** Standard output and standard error so far. */
  output(): string;
  /** The exit code; null if a signal killed it. */
  readonly exitCode: Promise<number | null>;
  /** Sends a signal and resolves to the exit code; null if the signal killed it. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
}

/**
 * Starts a server on a free port and waits for its `ready` line. Throws an Error with its output if it exits first.
 * @param deployed the working directory, with a built server in its dist/; if absent, builds a server
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
      // tests have a Redis at REDIS_URL, but not every server they start should use it
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
      throw new Error(`The server exited with code ${code}: ${output}`);
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
  // never resolves: the caller reports the exit code instead
  await new Promise(() => {});
}
