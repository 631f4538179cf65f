import type { Server } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { SECOND_MS } from '../domain/time.ts';

const LOOK_FOR_IDLE_EVERY_MS = SECOND_MS / 10;

/**
 * Takes no new requests, lets those in progress end, and closes the remaining connections after a while. A request that
 * has arrived is in progress, even if a busy process has not read it yet.
 */
export async function closeServer(server: Server, longestMs: number): Promise<void> {
  await untilAllIsRead();
  return new Promise((resolve) => {
    const closing = setInterval(async () => {
      await untilAllIsRead();
      // a response that began before does not close its connection, which may become idle at any time
      server.closeIdleConnections();
    }, LOOK_FOR_IDLE_EVERY_MS);
    // closes idle connections too
    server.close(() => {
      clearInterval(closing);
      resolve();
    });
    setTimeout(() => server.closeAllConnections(), longestMs).unref();
  });
}

/** Node runs timers before it reads sockets: a connection would count as idle whose request waits to be read. */
async function untilAllIsRead(): Promise<void> {
  await turn();
  await turn();
}
