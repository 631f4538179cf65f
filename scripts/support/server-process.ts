import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { freePort } from './free-port.ts';
import { serverBundle } from './server-bundle.ts';

/** A server in a process of its own. */
export interface ServerProcess {
  readonly child: ChildProcess;
  readonly port: number;
  readonly baseUrl: string;
  /** What it has written so far, standard output and error together. */
  output(): string;
  /** Its exit code, once it has ended; null when a signal killed it. */
  readonly exitCode: Promise<number | null>;
  /** Ends it with a signal and gives its exit code; null when the signal killed it. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
}

/** Starts a server on a free port and waits for its `ready` line. Throws an Error with its output when it ends before. */
export async function startServerProcess(environment: Record<string, string>): Promise<ServerProcess> {
  const port = Number(environment.PORT ?? (await freePort()));
  const child = spawn(process.execPath, [await serverBundle()], {
    env: { ...process.env, LOG_LEVEL: 'silent', NODE_ENV: 'development', ...environment, PORT: String(port) },
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
  // its exit says more than that its output has ended
  await new Promise(() => {});
}
