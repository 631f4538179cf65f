import { lstatSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import type { Logger } from 'pino';
import { Refusal } from '../domain/refusal.ts';
import { databaseLocationOf } from '../store/location.ts';
import type { OperatorParts } from './command.ts';
import { type Answer, LONGEST_EXCHANGE_MS, type Request, readMessage, socketPathOf } from './message.ts';

/** Concurrent connections of operators' commands. Operators run few at once. @beyond further ones are closed at once */
const MOST_OPERATORS = 8;
/** Denies access to other users of this machine. */
const NOT_FOR_OTHERS = 0o177;

export interface CommandSocket {
  /** Closes connections without a complete request, waits for running commands and removes the socket. */
  close(): Promise<void>;
}

type SocketParts = OperatorParts & { readonly logger: Pick<Logger, 'warn' | 'error'> };

const NO_SOCKET: CommandSocket = { close: async () => {} };

/**
 * Accepts operators' commands on a local socket next to the SQLite file, which this process owns. With PostgreSQL,
 * commands connect to the database themselves. If the socket can't open, the server logs why and continues without it.
 */
export async function openCommandSocket(databaseUrl: string, parts: SocketParts): Promise<CommandSocket> {
  const location = databaseLocationOf(databaseUrl);
  if (location.engine !== 'sqlite') return NO_SOCKET;
  try {
    const path = socketPathOf(location.path);
    if (path === null) throw new Error(`The path ${location.path} is too long for a socket next to it`);
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
    parts.logger.warn({ err: error }, 'operator commands cannot reach this server');
    return NO_SOCKET;
  }
}

/** Removes a killed server's socket. Only the file's owner gets here, so no other server uses the socket. */
function removeStale(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isSocket()) throw new Error(`${path} is not a socket. Move it elsewhere.`);
  rmSync(path);
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    // listen creates the socket synchronously, so the mask sets its mode
    const mask = process.umask(NOT_FOR_OTHERS);
    try {
      server.listen(path, resolve);
    } finally {
      process.umask(mask);
    }
  });
}

/** @param hasAsked called once the request has arrived or failed */
async function serve(socket: Socket, parts: SocketParts, hasAsked: () => void): Promise<void> {
  // without a listener, a connection error would end the process
  socket.on('error', () => {});
  const timeout = setTimeout(() => socket.destroy(), LONGEST_EXCHANGE_MS);
  socket.once('close', () => clearTimeout(timeout));
  try {
    const request = (await readMessage(socket).finally(hasAsked)) as Request | null;
    socket.end(JSON.stringify(await answer(request, parts)));
  } catch {
    // incomplete or malformed request
    socket.destroy();
  }
}

async function answer(request: Request | null, parts: SocketParts): Promise<Answer> {
  try {
    // imported on demand: the rules load slowly and are rarely needed
    const { runCommand } = await import('./commands.ts');
    return { output: await runCommand(parts, request?.command, request?.input) };
  } catch (error) {
    if (error instanceof Refusal) return { problem: error.description };
    parts.logger.error({ err: error }, 'operator command failed');
    return { problem: 'The command failed on the server. See the server log.' };
  }
}
