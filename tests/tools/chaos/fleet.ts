import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../../scripts/support/free-port.ts';
import { type ServerProcess, startServerProcess } from '../../../scripts/support/server-process.ts';
import { parsed } from '../../support/parsed.ts';

/** What happens to an instance. A restart uses SIGTERM. */
export type StrikeKind = 'kill' | 'freeze' | 'restart';

/** Instants are in milliseconds UTC. */
export interface Strike {
  readonly kind: StrikeKind;
  readonly instance: number;
  readonly at: number;
  /** When the instance worked again; null: not yet. */
  until: number | null;
}

/** One or several servers on one database. An instance keeps its port. */
export interface Fleet {
  /** The base URL of each instance. */
  readonly urls: readonly string[];
  readonly strikes: readonly Strike[];
  /** The instances without a strike in progress. */
  sound(): readonly number[];
  /** Sends SIGKILL, and restarts the instance. */
  kill(instance: number): Promise<void>;
  /** Sends SIGSTOP, and SIGCONT after `forMs`. */
  freeze(instance: number, forMs: number): Promise<void>;
  /** Sends SIGTERM, and restarts the instance. Throws unless it exits with code 0. */
  restart(instance: number): Promise<void>;
  /** Starts all instances at once, after `stop`. */
  start(): Promise<void>;
  /** Stops all instances at once with SIGTERM. Throws unless each exits with code 0. */
  stop(): Promise<void>;
  /** Kills the instances that are still running. */
  end(): Promise<void>;
  /** The errors that the instances have logged, with their counts. */
  errors(): ReadonlyMap<string, number>;
}

/** Starts all instances at once. */
export async function startFleet(count: number, environment: Record<string, string>): Promise<Fleet> {
  const ports: number[] = [];
  while (ports.length < count) ports.push(await freePort());
  const urls = ports.map((port) => `http://localhost:${port}`);
  const strikes: Strike[] = [];
  /** The current server of each instance. */
  const servers: ServerProcess[] = [];
  const started: ServerProcess[] = [];
  let isOver = false;

  const startOne = async (instance: number) => {
    const own = { PUBLIC_URL: urls[0]!, PORT: String(ports[instance]) };
    const server = await startServerProcess({ LOG_LEVEL: 'error', ...environment, ...own });
    servers[instance] = server;
    started.push(server);
    // an aborted run must leave no server behind
    if (isOver) await server.end('SIGKILL');
  };
  const endOne = async (instance: number, signal: 'SIGKILL' | 'SIGTERM', wanted: number | null) => {
    const code = await servers[instance]!.end(signal);
    if (code !== wanted)
      throw new Error(`Instance ${instance} exited with ${code} after ${signal}: ${servers[instance]!.output()}`);
  };
  const strike = async (kind: StrikeKind, instance: number, work: () => Promise<void>) => {
    const one: Strike = { kind, instance, at: Date.now(), until: null };
    strikes.push(one);
    await work();
    one.until = Date.now();
  };
  const startAgain = (kind: StrikeKind, signal: 'SIGKILL' | 'SIGTERM', code: number | null) => (instance: number) =>
    strike(kind, instance, async () => {
      await endOne(instance, signal, code);
      await startOne(instance);
    });
  const start = async () => void (await Promise.all(ports.map((_, instance) => startOne(instance))));
  await start();
  return {
    urls,
    strikes,
    sound: () => {
      const struck = new Set(strikes.filter(({ until }) => until === null).map(({ instance }) => instance));
      return [...servers.keys()].filter((instance) => !struck.has(instance));
    },
    kill: startAgain('kill', 'SIGKILL', null),
    restart: startAgain('restart', 'SIGTERM', 0),
    freeze: (instance, forMs) =>
      strike('freeze', instance, async () => {
        const { child } = servers[instance]!;
        child.kill('SIGSTOP');
        await pause(forMs);
        child.kill('SIGCONT');
      }),
    start,
    stop: async () => void (await Promise.all(servers.map((_, instance) => endOne(instance, 'SIGTERM', 0)))),
    end: async () => {
      isOver = true;
      await Promise.all(servers.map((server) => server.end('SIGKILL')));
    },
    errors: () => errorsIn(started.map((server) => server.output()).join('')),
  };
}

/** The minimum log level of an error. */
const ERROR = 50;

interface LogLine {
  readonly level?: number;
  readonly msg?: string;
  readonly route?: string;
  readonly problem?: string;
  readonly err?: { readonly message?: string };
}

function errorsIn(output: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of output.split('\n')) {
    const { level = 0, msg, route, problem, err } = Object(parsed(line)) as LogLine;
    if (level < ERROR) continue;
    const text = [msg, route, problem ?? err?.message].filter(Boolean).join(': ');
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return counts;
}
