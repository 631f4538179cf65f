import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { Engine } from '../../server/store/open.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { startTestServer, type TestServer } from './server.ts';

type Settings = Parameters<typeof startTestServer>[1];

/** A server for the tests of the file, or of the `describe`, that asks for it: closed after the last of them. */
export function testServer(engine: Engine, settings?: Settings): TestServer {
  return started(() => startTestServer(engine, settings), beforeAll, afterAll);
}

/** A server for each test by itself. */
export function serverForEach(engine: Engine, settings?: Settings): TestServer {
  return started(() => startTestServer(engine, settings), beforeEach, afterEach);
}

/** A receiver for the tests of the file, or of the `describe`, that asks for it. */
export function testReceiver(): Receiver {
  return started(startReceiver, beforeAll, afterAll);
}

/** A receiver for each test by itself. */
export function receiverForEach(): Receiver {
  return started(startReceiver, beforeEach, afterEach);
}

/** Stands for what `start` makes before the tests, as if it were there already. Using it any earlier throws an Error. */
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
      if (current === undefined) throw new Error(`It is not started yet, and has no ${String(name)}`);
      return Reflect.get(current, name);
    },
  });
}
