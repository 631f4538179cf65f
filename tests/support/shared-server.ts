import { afterAll, beforeAll } from 'vitest';
import { startTestServer, type TestServer } from './server.ts';

/** A server that the tests of a file or of a describe share: it starts before them, and is there in them and in hooks. */
export function sharedServer(...options: Parameters<typeof startTestServer>): TestServer {
  const server = {} as TestServer;
  beforeAll(async () => {
    Object.assign(server, await startTestServer(...options));
  });
  afterAll(() => server.close());
  return server;
}
