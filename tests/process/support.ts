import { execFile } from 'node:child_process';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { builtCommand } from '../../scripts/support/built-server.ts';
import { type ServerProcess, startServerProcess } from '../../scripts/support/server-process.ts';
import { newDatabase } from '../../scripts/support/temporary-database.ts';
import { type Engine, openStore, type Store } from '../../server/store/engine/open.ts';
import type { Ended, Environment } from '../cli/support.ts';
import { started } from '../support/started.ts';

/** A production server that the tests call directly, and not by its public name. */
export const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://rides.example.com',
  HOST: '127.0.0.1',
  DRAIN_SECONDS: '0',
  ALLOWED_HOSTS: 'localhost',
};

export const PASSWORD = 's3cret-password';

/** Adds the password to a PostgreSQL URL. The test databases ignore it. */
export function withPassword(url: string): string {
  if (!url.startsWith('postgres')) return url;
  const named = new URL(url);
  named.password = PASSWORD;
  return named.href;
}

/** NODE_OPTIONS with which a server prints at its exit whether it has loaded the client of Redis. */
export const TELLS_OF_REDIS = `--import=data:text/javascript,${encodeURIComponent(`
  import { createRequire } from 'node:module';
  const { cache } = createRequire(process.cwd() + '/');
  const isOfRedis = (file) => file.includes('@redis/client');
  process.on('exit', () => console.log('loads Redis: ' + Object.keys(cache).some(isOfRedis)));
`)}`;

/** The events of the audit trail in an output. */
export function auditedIn(output: string): Array<{ event: string; result: string; requestId: string | null }> {
  const lines = output.split('\n').filter((line) => line.includes('"msg":"audit"'));
  return lines.map((line) => JSON.parse(line)).map(({ event, result, requestId }) => ({ event, result, requestId }));
}

/** A server with its own database, for the tests of a file. */
export function sharedProcess(environment?: Record<string, string>): ServerProcess & { readonly databaseUrl: string } {
  const start = async () => {
    const database = await newDatabase('sqlite');
    const server = await startServerProcess({ DATABASE_URL: database.url, ...environment });
    const close = async () => {
      await server.end('SIGTERM');
      await database.drop();
    };
    return { ...server, databaseUrl: database.url, close };
  };
  return started(start, beforeAll, afterAll);
}

/** A database, and the servers that a test starts on it. All servers stop when the test ends. */
export type Home = Awaited<ReturnType<typeof newHome>>;

export async function newHome(engine: Engine = 'sqlite') {
  const { url, drop } = await newDatabase(engine);
  const servers: ServerProcess[] = [];
  onTestFinished(async () => {
    for (const server of servers) await server.end('SIGKILL');
    await drop();
  });
  return {
    url,
    start: async (environment?: Record<string, string>): Promise<ServerProcess> => {
      const server = await startServerProcess({ DATABASE_URL: url, ...environment });
      servers.push(server);
      return server;
    },
    /** Opens the database. No server may be using it. */
    withStore: async <T>(work: (store: Store) => Promise<T>): Promise<T> => {
      const store = await openStore(url);
      return work(store).finally(store.close);
    },
  };
}

/** Runs a command of ridehail-server in a process of its own, without a terminal. */
export async function runCommand(words: readonly string[], environment: Environment = {}) {
  const line = [await builtCommand(), ...words];
  return new Promise<Ended>((resolve) => {
    const child = execFile(
      process.execPath,
      line,
      { env: { ...process.env, ...environment } },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
    child.stdin?.end();
  });
}
