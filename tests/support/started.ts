import { afterAll, afterEach, beforeAll, beforeEach, onTestFinished } from 'vitest';
import { newDatabase } from '../../scripts/support/temporary-database.ts';
import type { CONNECTION_BOUNDS } from '../../server/store/engine/connections.ts';
import type { Engine, OpenStore, Store } from '../../server/store/engine/open.ts';
import { openTestStore } from './database.ts';
import { type Faults, fragile } from './fragile-store.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { startTestServer, type TestServer } from './server.ts';

type Settings = Parameters<typeof startTestServer>[1];

/** A server for the tests of a file or a `describe`. It closes after the last one. */
export function testServer(engine: Engine, settings?: Settings): TestServer {
  return forAll(() => startTestServer(engine, settings));
}

/** A server whose queries can be made to fail until the end of a test. */
export function fragileServer(engine: Engine, settings?: Settings): TestServer & { readonly faults: Faults } {
  const start = async () => {
    const { store, faults } = fragile(await openTestStore(engine));
    return { ...(await startTestServer(engine, { ...settings, store })), faults };
  };
  const server = forAll(start);
  afterEach(() => void server.faults.mend());
  return server;
}

export function serverForEach(engine: Engine, settings?: Settings): TestServer {
  return started(() => startTestServer(engine, settings), beforeEach, afterEach);
}

/** A receiver for the tests of a file or a `describe`. */
export function testReceiver(): Receiver {
  return forAll(startReceiver);
}

export function receiverForEach(): Receiver {
  return started(startReceiver, beforeEach, afterEach);
}

/** @param bounds bounds on its connections to PostgreSQL, for a test that counts them */
export function storeForEach(engine: Engine, bounds?: typeof CONNECTION_BOUNDS): OpenStore {
  return started(() => openTestStore(engine, bounds), beforeEach, afterEach);
}

/** A database without tables until the end of the test. @returns its URL */
export async function newUrl(engine: Engine): Promise<string> {
  const { url, drop } = await newDatabase(engine);
  onTestFinished(drop);
  return url;
}

/** Closes a store at the end of the test. */
export async function opened<T extends Store>(store: Promise<T>): Promise<T> {
  onTestFinished((await store).close);
  return store;
}

/** Calls `start` once for the tests of a file or a `describe`. */
export function forAll<T extends { close(): Promise<void> }>(start: () => Promise<T>): T {
  return started(start, beforeAll, afterAll);
}

/** A stand-in for the object that `start` creates before the tests. Throws an Error if it is used earlier. */
export function started<T extends { close(): Promise<void> }>(
  start: () => Promise<T>,
  before: (hook: () => Promise<void>) => void,
  after: (hook: () => Promise<void>) => void,
): T {
  let current: T | undefined;
  before(async () => {
    current = await start();
  });
  after(async () => {
    await current?.close();
    current = undefined;
  });
  return new Proxy({} as T, {
    get: (_, name) => {
      if (current === undefined) throw new Error(`${String(name)} is not available before the tests start.`);
      return Reflect.get(current, name);
    },
  });
}
