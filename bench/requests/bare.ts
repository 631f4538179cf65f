import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hashOf } from '../../server/oauth/secrets.ts';
import { startChild } from './child.ts';
import { cpuOf } from './cores.ts';
import type { Filled } from './filled.ts';
import type { Loader, Span } from './load.ts';
import { MEASURED } from './operations.ts';
import { startOwn } from './servers.ts';

/** A statement that ran on SQLite. Its parameters are null if it was not prepared. */
interface Statement {
  readonly source: string;
  readonly parameters: readonly unknown[] | null;
}

interface Place {
  readonly core: number;
  /** For temporary files. */
  readonly folder: string;
  readonly loader: Loader;
}

/**
 * Records the statements of ride requests on a copy of an SQLite database, and starts a process that runs them on another
 * copy, without a server. No process may have the database open.
 * @param count how many requests to record
 */
export async function startBare({ core, folder, loader }: Place, databaseUrl: string, filled: Filled, count: number) {
  const copy = (name: string) => {
    cpSync(dirname(databaseUrl.slice('file:'.length)), join(folder, name), { recursive: true });
    return join(folder, name, 'ridehail.db');
  };
  const [recorded, bare, log] = [copy('recorded'), copy('bare'), join(folder, 'statements.jsonl')];
  const server = await startOwn(core, folder, {
    databaseUrl: `file:${recorded}`,
    hook: new URL('./record-statements.js', import.meta.url),
    environment: { STATEMENTS: log },
  });
  const { calls, name, status } = MEASURED.rides;
  const job = { port: server.port, calls: calls(filled).slice(0, count), amount: count, connections: 1, status };
  await loader.send(job, name, server.pid).finally(server.end);
  const lines = readFileSync(log, 'utf8').trim().split('\n');
  const replay = requestsIn(
    lines.map((line) => JSON.parse(line)),
    filled,
  );
  writeFileSync(log, JSON.stringify(replay));
  const child = await startChild(core, './bare-process.js', bare, log);
  return {
    /** Runs the statements of the next requests. */
    run: async (requests: number): Promise<Span> => {
      const before = cpuOf(child.pid);
      const milliseconds = await child.ask<number>(requests);
      return { requests, milliseconds, cpu: cpuOf(child.pid) - before };
    },
    end: child.end,
  };
}

/** The statements of each request, from the token lookup to the commit of the ride. */
function requestsIn(statements: readonly Statement[], { fresh }: Filled): Statement[][] {
  const tokens = new Set<unknown>(fresh.map(({ token }) => hashOf(token)));
  const requests: Statement[][] = [];
  let own: Statement[] | null = null;
  for (const statement of statements) {
    if (own === null && statement.parameters?.some((parameter) => tokens.has(parameter))) own = [];
    own?.push(statement);
    if (own === null || statement.source !== 'commit') continue;
    if (!own.some(({ source }) => source.startsWith('insert into "rides"'))) continue;
    requests.push(own);
    own = null;
  }
  return requests;
}
