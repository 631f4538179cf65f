import { lstatSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import type { Logger } from 'pino';
import { Refusal } from '../domain/refusal.ts';
import { placeOf } from '../store/place.ts';
import type { OperatorParts } from './command.ts';
import { type Answer, LONGEST_EXCHANGE_MS, type Request, readMessage } from './message.ts';
import { doorOf } from './place.ts';

/** Operators type commands one by one. Another connection waits. */
const MOST_OPERATORS = 8;
/** For other users of this machine: neither reading nor writing. */
const NOT_FOR_OTHERS = 0o177;

export interface Door {
  /** Cuts connections without a whole request, lets commands that have begun end, and removes the socket. */
  close(): Promise<void>;
}

export type DoorParts = OperatorParts & { readonly logger: Pick<Logger, 'warn' | 'error'> };

const NO_DOOR: Door = { close: async () => {} };

/**
 * Lets operators' commands in, by a local socket beside the SQLite file, which this process owns. On PostgreSQL commands
 * connect to the database themselves. A server without a door still serves: the log says why it has none.
 */
export async function openDoor(databaseUrl: string, parts: DoorParts): Promise<Door> {
  const place = placeOf(databaseUrl);
  if (place.engine !== 'sqlite') return NO_DOOR;
  try {
    const path = doorOf(place.path);
    if (path === null) throw new Error(`The path of ${place.path} is too long for a socket beside it`);
    removeStale(path);
    const asking = new Set<Socket>();
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      asking.add(socket);
      void serve(socket, parts, () => asking.delete(socket));
    });
    server.maxConnections = MOST_OPERATORS;
    await listen(server, path);
    return {
      close: () => {
        const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
        for (const socket of asking) socket.destroy();
        return closed;
      },
    };
  } catch (error) {
    parts.logger.warn({ err: error }, 'commands of operators cannot reach this server while it runs');
    return NO_DOOR;
  }
}

/** A server that was killed leaves its socket. Only the owner of the file comes here, so no other server uses it. */
function removeStale(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isSocket()) throw new Error(`${path} is no socket: move it away`);
  rmSync(path);
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    // the socket is made within this call, with the mode that the mask leaves
    const mask = process.umask(NOT_FOR_OTHERS);
    try {
      server.listen(path, resolve);
    } finally {
      process.umask(mask);
    }
  });
}

/** @param hasAsked is called when the request has arrived, or never will */
async function serve(socket: Socket, parts: DoorParts, hasAsked: () => void): Promise<void> {
  // without a listener an error of a connection would end the process
  socket.on('error', () => {});
  const timeout = setTimeout(() => socket.destroy(), LONGEST_EXCHANGE_MS);
  socket.once('close', () => clearTimeout(timeout));
  try {
    const request = (await readMessage(socket).finally(hasAsked)) as Request | null;
    socket.end(JSON.stringify(await answer(request, parts)));
  } catch {
    // cut off, or no message of ours
    socket.destroy();
  }
}

async function answer(request: Request | null, parts: DoorParts): Promise<Answer> {
  try {
    // its rules take longer to load than most of the server, which seldom needs them
    const { runCommand } = await import('./commands.ts');
    return { output: await runCommand(parts, request?.command, request?.input) };
  } catch (error) {
    if (error instanceof Refusal) return { problem: error.description };
    parts.logger.error({ err: error }, 'a command of an operator failed');
    return { problem: 'The server failed; its log says why.' };
  }
}
