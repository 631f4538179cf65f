import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Engine, openStore } from '../../../server/store/open.ts';
import { newDatabase } from '../../support/temporary-database.ts';
import { type Cores, twoCores } from './cores.ts';
import { type Filled, fill, type Size } from './filled.ts';
import { type Loader, type Span, startLoader } from './load.ts';
import { type Call, MEASURED, type MeasuredId, type PeerId } from './operations.ts';
import { type OwnServer, type Server, startOwn, startPeer } from './servers.ts';
import { type Bare, startBare } from './statements.ts';

/** A filled database, and the means to start and measure servers on it. */
export interface RequestStage {
  readonly filled: Filled;
  startOwn(beside?: readonly string[]): Promise<OwnServer>;
  /** @param answer the body that it returns for an eta request */
  startPeer(peer: PeerId, answer: object): Promise<Server>;
  /** Null on PostgreSQL. Call it before `startOwn`, because our server needs exclusive access to the database. */
  startBare(): Promise<Bare | null>;
  /** Sends requests for an operation to a server. */
  send(server: Server, operation: MeasuredId, calls: readonly Call[], amount: number): Promise<Span>;
  close(): Promise<void>;
}

/** About as many as a busy browser or a small load balancer keeps open. */
export const CONNECTIONS = 16;

export async function openRequestStage(engine: Engine, size: Size): Promise<RequestStage> {
  const cores: Cores = twoCores();
  const database = await newDatabase(engine);
  const folder = await mkdtemp(join(tmpdir(), 'ridehail-bench-'));
  const store = await openStore(database.url);
  const filled = await fill(store, size, Date.now()).finally(store.close);
  const loader: Loader = await startLoader(cores.load);
  return {
    filled,
    startOwn: (beside = []) => startOwn({ core: cores.server, databaseUrl: database.url, folder, beside }),
    startPeer: (peer, answer) => startPeer(peer, cores.server, MEASURED.eta.calls(filled)[0]!, answer),
    startBare: async () => {
      if (engine === 'postgres') return null;
      const data = dirname(database.url.slice('file:'.length));
      return startBare({ core: cores.server, folder, data }, filled);
    },
    send: ({ port, pid }, operation, calls, amount) => {
      const { status, name } = MEASURED[operation];
      return loader.send({ port, calls, amount, connections: CONNECTIONS, status }, name, pid);
    },
    close: async () => {
      await loader.close();
      await rm(folder, { recursive: true, force: true });
      await database.drop();
    },
  };
}
