import { openTestStore } from '../../support/database.ts';
import { type Faults, fragile } from '../../support/fragile-store.ts';
import { fleetThatRests } from '../../support/resting-fleet.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

/** Where every refusal can be brought about. */
export interface Stage {
  readonly server: TestServer;
  /** The same world and rides behind limits of one call a minute each. */
  readonly strict: TestServer;
  readonly faults: Faults;
  whileNobodyDrives<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export async function openStage(engine: 'sqlite' | 'postgres'): Promise<Stage> {
  const { fleetOf, whileItRests } = fleetThatRests();
  const { store, faults } = fragile(await openTestStore(engine));
  const server = await startTestServer(engine, { store, fleetOf });
  const shared = { ...store, close: async () => {} };
  const strict = await startTestServer(engine, { store: shared, fleetOf, rateLimitMultiplier: 0 });
  const close = async () => {
    await strict.close();
    await server.close();
  };
  return { server, strict, faults, whileNobodyDrives: whileItRests, close };
}
