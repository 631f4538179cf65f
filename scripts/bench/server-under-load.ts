import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { BuiltServer } from '../support/built-server.ts';
import { freePort } from '../support/free-port.ts';
import { seconds } from './clock.ts';

const LOOK_AGAIN_SECONDS = 0.05;
const LONGEST_START_SECONDS = 60;

/** A built server in a separate process. */
export interface ServerUnderLoad {
  readonly baseUrl: string;
  usage(): Promise<Usage>;
  close(): Promise<void>;
}

/** The resource usage of the server's process. */
export interface Usage {
  /** Milliseconds of CPU time so far. */
  readonly cpuMs: number;
  /** In bytes. */
  readonly memory: NodeJS.MemoryUsage;
}

/** Starts a server that logs each request as in production, but discards the log, which would fill the disk. */
export async function startUnderLoad({ main }: Pick<BuiltServer, 'main'>, databaseUrl: string) {
  const port = await freePort();
  const reporting = new URL('./report-usage.js', import.meta.url).href;
  const child = spawn(process.execPath, ['--import', reporting, main], {
    env: { ...process.env, ...settings(port, databaseUrl) },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const baseUrl = `http://127.0.0.1:${port}`;
  await untilReady(child, baseUrl);
  return {
    baseUrl,
    usage: () => usageOf(child),
    close: async () => {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  } satisfies ServerUnderLoad;
}

/** Development mode allows webhooks to this machine. The multiplier raises the rate limits beyond reach. */
function settings(port: number, databaseUrl: string): NodeJS.ProcessEnv {
  return {
    NODE_ENV: 'development',
    DEMO: 'false',
    SIMULATION_SPEED: '1',
    RATE_LIMIT_MULTIPLIER: '1000',
    LOG_LEVEL: 'info',
    HOST: '127.0.0.1',
    PORT: String(port),
    DATABASE_URL: databaseUrl,
  };
}

async function untilReady(child: ChildProcess, baseUrl: string): Promise<void> {
  for (let waited = 0; waited < LONGEST_START_SECONDS; waited += LOOK_AGAIN_SECONDS) {
    if (child.exitCode !== null) throw new Error(`The server exited with code ${child.exitCode} before it was ready.`);
    const answer = await fetch(`${baseUrl}/readyz`).catch(() => null);
    if (answer?.ok) return;
    await seconds(LOOK_AGAIN_SECONDS);
  }
  child.kill('SIGKILL');
  throw new Error(`The server was not ready within ${LONGEST_START_SECONDS} seconds.`);
}

async function usageOf(child: ChildProcess): Promise<Usage> {
  child.send('usage');
  const [{ cpuUsage, memory }] = await once(child, 'message');
  return { cpuMs: (cpuUsage.user + cpuUsage.system) / 1000, memory };
}
