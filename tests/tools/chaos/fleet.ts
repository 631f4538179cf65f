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

export type Fleet = Awaited<ReturnType<typeof startFleet>>;

/** Starts one or several servers on one database, all at once. An instance keeps its port. */
export async function startFleet(count: number, environment: Record<string, string>) {
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
  const endOne = async (instance: number, signal: 'SIGKILL' | 'SIGTERM') => {
    const code = await servers[instance]!.end(signal);
    if (code !== (signal === 'SIGKILL' ? null : 0))
      throw new Error(`Instance ${instance} exited with ${code} after ${signal}: ${servers[instance]!.output()}`);
  };
  const strike = async (kind: StrikeKind, instance: number, work: () => Promise<void>) => {
    const one: Strike = { kind, instance, at: Date.now(), until: null };
    strikes.push(one);
    await work();
    one.until = Date.now();
  };
  const startAgain = (kind: StrikeKind, signal: 'SIGKILL' | 'SIGTERM') => (instance: number) =>
    strike(kind, instance, async () => {
      await endOne(instance, signal);
      await startOne(instance);
    });
  const start = async () => void (await Promise.all(ports.map((_, instance) => startOne(instance))));
  await start();
  return {
    urls,
    strikes: strikes as readonly Strike[],
    /** The instances without a strike in progress. */
    sound: () => {
      const struck = strikes.filter(({ until }) => until === null).map(({ instance }) => instance);
      return [...servers.keys()].filter((instance) => !struck.includes(instance));
    },
    /** Sends SIGKILL, and restarts the instance. */
    kill: startAgain('kill', 'SIGKILL'),
    /** Sends SIGTERM, and restarts the instance. Throws unless it exits with code 0. */
    restart: startAgain('restart', 'SIGTERM'),
    /** Sends SIGSTOP, and SIGCONT after `forMs`. */
    freeze: (instance: number, forMs: number) =>
      strike('freeze', instance, async () => {
        const { child } = servers[instance]!;
        child.kill('SIGSTOP');
        await pause(forMs);
        child.kill('SIGCONT');
      }),
    /** Starts all instances at once, after `stop`. */
    start,
    /** Stops all instances at once with SIGTERM. Throws unless each exits with code 0. */
    stop: async () => void (await Promise.all(servers.map((_, instance) => endOne(instance, 'SIGTERM')))),
    /** Kills the instances that are still running. */
    end: async () => {
      isOver = true;
      await Promise.all(servers.map((server) => server.end('SIGKILL')));
    },
    /** The errors that the instances have logged, with their counts. */
    errors: () => errorsIn(started.map((server) => server.output()).join('')),
  };
}

/** The minimum log level of an error. */
const ERROR = 50;

function errorsIn(output: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const line of output.split('\n')) {
    const { level = 0, msg, route, problem, err } = Object(parsed(line));
    if (level < ERROR) continue;
    const text = [msg, route, problem ?? err?.message].filter(Boolean).join(': ');
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return counts;
}
