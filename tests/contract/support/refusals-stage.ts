import { openTestStore } from '../../support/database.ts';
import { type Faults, fragile } from '../../support/fragile-store.ts';
import { fleetThatRests } from '../../support/resting-fleet.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

/** The servers and rides that the recipes use to make a call fail. */
export interface Stage {
  readonly server: TestServer;
  /** A server with the same worlds and rides that allows one call a minute. */
  readonly strict: TestServer;
  readonly faults: Faults;
  whileNobodyDrives<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export async function openStage(engine: 'sqlite' | 'postgres'): Promise<Stage> {
  const { fleetOf, whileItRests } = fleetThatRests();
  const { store, faults } = fragile(await openTestStore(engine));
  const server = await startTestServer(engine, { store, fleetOf, withPages: true });
  const shared = { ...store, close: async () => {} };
  const strict = await startTestServer(engine, { store: shared, fleetOf, rateLimitMultiplier: 0, trustedProxies: 1 });
  const close = async () => {
    await strict.close();
    await server.close();
  };
  return { server, strict, faults, whileNobodyDrives: whileItRests, close };
}
