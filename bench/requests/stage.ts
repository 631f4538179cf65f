import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newDatabase } from '../../scripts/support/temporary-database.ts';
import { type Engine, openStore } from '../../server/store/engine/open.ts';
import { twoCores } from './cores.ts';
import { fill, type Size } from './filled.ts';
import { startLoader } from './load.ts';
import { type Call, MEASURED, type MeasuredId, type PeerId } from './operations.ts';
import { type Server, startOwn, startPeer } from './servers.ts';

export type Stage = Awaited<ReturnType<typeof openStage>>;

/** The requests to send, in turn. */
export interface Share {
  readonly calls: readonly Call[];
  readonly amount: number;
  readonly connections?: number;
}

/** About as many as a busy browser or a small load balancer keeps open. */
export const CONNECTIONS = 16;

/** A filled database, and the means to start and measure servers on it. */
export async function openStage(engine: Engine, size: Size, tell: (line: string) => void) {
  tell(`${engine}: filling a database with ${size.passengers} passengers`);
  const cores = twoCores();
  const closes: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const one of closes.toReversed()) await one();
  };
  const ending = <T extends { end(): Promise<void> }>(one: T): T => {
    closes.push(one.end);
    return one;
  };
  try {
    const database = await newDatabase(engine);
    closes.push(database.drop);
    const folder = await mkdtemp(join(tmpdir(), 'ridehail-bench-'));
    closes.push(() => rm(folder, { recursive: true, force: true }));
    const store = await openStore(database.url);
    const filledAt = Date.now();
    const filled = await fill(store, size, filledAt).finally(store.close);
    const loader = ending(await startLoader(cores.load));
    return {
      databaseUrl: database.url,
      filled,
      /** When the database was filled, in milliseconds UTC. */
      filledAt,
      startOwn: async (hook?: URL, databaseUrl = database.url, more: NodeJS.ProcessEnv = {}) =>
        ending(await startOwn(cores.server, folder, databaseUrl, hook, more)),
      /** @param answer the body that it returns for an eta request */
      startPeer: async (peer: PeerId, answer: unknown) =>
        ending(await startPeer(peer, cores.server, MEASURED.eta.calls(filled)[0]!, answer)),
      /** Sends requests for an operation to a server. */
      send: ({ port, pid }: Server, operation: MeasuredId, { calls, amount, connections = CONNECTIONS }: Share) => {
        const { status, name } = MEASURED[operation];
        return loader.send({ port, calls: calls.slice(0, amount), amount, connections, status }, name, pid);
      },
      /** Ends all servers and drops the database. */
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
