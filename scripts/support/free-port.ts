import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ephemeral ports, so outgoing connections don't take a port before the server listens on it. */
const FIRST = 20_000;
const COUNT = 12_000;

// concurrent processes start far apart
let next = (process.pid * 97) % COUNT;

/** Returns a free port that this process has not returned recently. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + next;
    next = (next + 1) % COUNT;
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
