import type { Server } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { SECOND_MS } from '../domain/time.ts';

const LOOK_FOR_IDLE_EVERY_MS = SECOND_MS / 10;

/**
 * Accepts no new requests, lets those in progress finish, and closes the remaining connections after `longestMs`. A
 * request that has arrived counts as in progress, even if a busy process has not read it yet.
 */
export async function closeServer(server: Server, longestMs: number): Promise<void> {
  await untilAllIsRead();
  return new Promise((resolve) => {
    const closing = setInterval(async () => {
      await untilAllIsRead();
      // a response that began earlier does not close its connection, which may become idle at any time
      server.closeIdleConnections();
    }, LOOK_FOR_IDLE_EVERY_MS);
    // this closes idle connections too
    server.close(() => {
      clearInterval(closing);
      resolve();
    });
    setTimeout(() => server.closeAllConnections(), longestMs).unref();
  });
}

/** Node runs timers before it reads sockets, so a connection with an unread request would count as idle. */
async function untilAllIsRead(): Promise<void> {
  await turn();
  await turn();
}
