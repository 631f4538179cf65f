import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../../../scripts/support/free-port.ts';
import { type ServerProcess, startServerProcess } from '../../../../scripts/support/server-process.ts';
import { parsed } from '../../../support/parsed.ts';

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

/** Several servers on one database. An instance keeps its port. */
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
  const ended: ServerProcess[] = [];
  const strikes: Strike[] = [];
  const startOne = (port: number) =>
    startServerProcess({ LOG_LEVEL: 'error', ...environment, PUBLIC_URL: urls[0]!, PORT: String(port) });
  const servers = await Promise.all(ports.map(startOne));

  const endOne = async (instance: number, signal: 'SIGKILL' | 'SIGTERM', wanted: number | null) => {
    const server = servers[instance]!;
    ended.push(server);
    const code = await server.end(signal);
    if (code !== wanted)
      throw new Error(`Instance ${instance} exited with code ${code} after ${signal}: ${server.output()}`);
  };
  const strike = async (kind: StrikeKind, instance: number, work: () => Promise<void>) => {
    const one: Strike = { kind, instance, at: Date.now(), until: null };
    strikes.push(one);
    await work();
    one.until = Date.now();
  };
  let isOver = false;
  const startAgain = async (instance: number) => {
    const server = await startOne(ports[instance]!);
    servers[instance] = server;
    // an aborted run must leave no server behind
    if (isOver) await server.end('SIGKILL');
  };
  return {
    urls,
    strikes,
    sound: () => {
      const struck = new Set(strikes.filter(({ until }) => until === null).map(({ instance }) => instance));
      return [...servers.keys()].filter((instance) => !struck.has(instance));
    },
    kill: (instance) =>
      strike('kill', instance, async () => {
        await endOne(instance, 'SIGKILL', null);
        await startAgain(instance);
      }),
    freeze: (instance, forMs) =>
      strike('freeze', instance, async () => {
        const { child } = servers[instance]!;
        child.kill('SIGSTOP');
        await pause(forMs);
        child.kill('SIGCONT');
      }),
    restart: (instance) =>
      strike('restart', instance, async () => {
        await endOne(instance, 'SIGTERM', 0);
        await startAgain(instance);
      }),
    stop: async () => {
      await Promise.all(servers.map((_, instance) => endOne(instance, 'SIGTERM', 0)));
    },
    end: async () => {
      isOver = true;
      const running = servers.filter(({ child }) => child.exitCode === null && child.signalCode === null);
      await Promise.all(
        running.map(({ child }) => {
          const gone = once(child, 'exit');
          child.kill('SIGKILL');
          return gone;
        }),
      );
    },
    errors: () => errorsIn([...new Set([...ended, ...servers])].map((server) => server.output()).join('')),
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
