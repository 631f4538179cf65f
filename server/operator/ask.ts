import { lstatSync, type Stats, statSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '../domain/time.ts';
import { databaseLocationOf } from '../store/location.ts';
import { asOwner, assertOwner, DatabaseInUse } from '../store/one-owner.ts';
import type { OperatorSettings } from './command.ts';
import type { CommandName, InputOf, OutputOf } from './commands.ts';
import { type Answer, LONGEST_EXCHANGE_MS, type Request, readMessage, socketPathOf } from './message.ts';

/**
 * How long a command waits for a database that another process owns. Covers a starting or stopping server and other
 * commands, which own the file but don't listen.
 * @beyond it fails with exit code 1
 * @heldBy tests/operator/command-socket.test.ts
 */
const LONGEST_WAIT_MS = 15 * SECOND_MS;
const TRY_AGAIN_AFTER_MS = SECOND_MS / 10;

/**
 * Runs a command in the server that owns the SQLite file. Runs it in this process if there is no such server or the
 * database is PostgreSQL. Throws an Error or a Refusal whose message is for the operator.
 */
export async function ask<Name extends CommandName>(
  settings: OperatorSettings,
  command: Name,
  input: InputOf<Name>,
): Promise<OutputOf<Name>> {
  const request: Request = { command, input };
  const location = databaseLocationOf(settings.databaseUrl);
  const output = await (location.engine === 'sqlite'
    ? askOwner(settings, location.path, request)
    : runHere(settings, request));
  return output as OutputOf<Name>;
}

async function askOwner(settings: OperatorSettings, path: string, request: Request) {
  const givesUpAt = performance.now() + LONGEST_WAIT_MS;
  for (;;) {
    const file = statSync(path, { throwIfNoEntry: false });
    if (file === undefined) {
      const { commandNamed } = await import('./commands.ts');
      // opening a missing file would create it
      if (!commandNamed(request.command).makesDatabase)
        throw new Error(`No database found at ${path}. Check DATABASE_URL.`);
      assertMayMake(dirname(path));
    } else {
      const socket = await reachServer(path, file);
      if (socket !== null) return exchange(socket, request);
      assertOwner(path, file);
    }
    try {
      return await runHere(settings, request);
    } catch (error) {
      if (!(error instanceof DatabaseInUse) || performance.now() > givesUpAt) throw error;
    }
    await sleep(TRY_AGAIN_AFTER_MS);
  }
}

/** Connects to the server that owns the file. Returns null if none listens. */
async function reachServer(databasePath: string, file: Stats): Promise<Socket | null> {
  const path = socketPathOf(databasePath);
  if (path === null) return null;
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return null;
  if (found.uid !== file.uid) throw new Error(`${path} and the database belong to different users. Remove ${path}.`);
  // the server ends its half last, after the response
  const socket = connect({ path, allowHalfOpen: true });
  return new Promise((resolve, reject) => {
    socket.once('connect', () => resolve(socket));
    socket.once('error', (error: NodeJS.ErrnoException) => {
      // left by a killed server, or just removed
      if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT') return resolve(null);
      reject(error.code === 'EACCES' ? new Error(`No permission for ${path}: ${asOwner(file)}.`) : error);
    });
  });
}

/** Throws if root would create a database in another user's folder, which that user's server couldn't open. */
function assertMayMake(folder: string): void {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined || found.uid === 0 || process.getuid?.() !== 0) return;
  throw new Error(`${folder} belongs to another user: ${asOwner(found)}.`);
}

async function exchange(socket: Socket, request: Request): Promise<unknown> {
  const timeout = setTimeout(() => socket.destroy(new Error('The server did not respond')), LONGEST_EXCHANGE_MS);
  try {
    socket.end(JSON.stringify(request));
    const answer = (await readMessage(socket)) as Answer;
    if ('problem' in answer) throw new Error(answer.problem);
    return answer.output;
  } catch (error) {
    const isCut = ['EPIPE', 'ECONNRESET'].includes((error as NodeJS.ErrnoException).code ?? '');
    if (isCut || error instanceof SyntaxError)
      throw new Error('The server stopped before it responded. Run the command again.');
    throw error;
  } finally {
    clearTimeout(timeout);
    socket.destroy();
  }
}

/** Loads the store only where no server runs the command: that takes longer than most commands. */
async function runHere(settings: OperatorSettings, request: Request): Promise<unknown> {
  return (await import('./commands.ts')).runHere(settings, request);
}
