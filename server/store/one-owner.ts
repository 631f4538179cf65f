import { type BigIntStats, closeSync, fstatSync, openSync, type Stats, statSync } from 'node:fs';
import { tryLock } from 'fs-native-extensions';
import Libsql from 'libsql';

/** A byte past the end of any database: SQLite reads, writes and locks only bytes before 2^48. */
const OWNERS_BYTE = 2 ** 50;
/**
 * Names (hard links) of an SQLite file. SQLite names its log after the file, so a second name would have a second log.
 * @beyond a start, a backup and a restore fail
 * @heldBy tests/store/death.test.ts
 */
const MOST_NAMES = 1;
/** The files that this process owns. Closing any handle to a file drops this process's SQLite locks on it. */
const owned = new Set<string>();

export class DatabaseInUse extends Error {
  override readonly name = 'DatabaseInUse';
}

/**
 * Makes this process the only owner of an SQLite file, under all its names, until it releases the file or exits.
 * Creates an empty file if absent. Backups can still read the file. Throws DatabaseInUse when another process owns the
 * file, and an Error when the file has several names.
 * @returns the release function; call it after closing the database
 */
export function ownAlone(path: string): () => void {
  const releaseName = ownName(path);
  try {
    const releaseFile = ownFile(path);
    try {
      assertOneName(path);
    } catch (error) {
      releaseFile();
      throw error;
    }
    return () => {
      releaseFile();
      releaseName();
    };
  } catch (error) {
    releaseName();
    throw error;
  }
}

/**
 * Makes this process the only owner of a path. The file does not have to exist. The lock is an open transaction on an
 * empty database next to the file. The operating system releases it when the process exits, so no stale lock can
 * remain. Throws when another process owns the path. No other code may open the lock file: closing it would drop the
 * lock.
 * @returns the release function
 */
export function ownName(path: string): () => void {
  const lock = new Libsql(`${path}.lock`);
  try {
    // no journal: nothing is ever written here
    lock.exec('pragma journal_mode = off');
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if (!(error instanceof Error) || (error as { code?: unknown }).code !== 'SQLITE_BUSY') throw error;
    throw inUse(path);
  }
  let held = true;
  return () => {
    if (!held) return;
    held = false;
    lock.exec('rollback');
    lock.close();
  };
}

/**
 * Throws when a file has several names. After a crash, the log still has the name that the server used. Opened under
 * another name, the database would lack the log's changes and be damaged later.
 */
export function assertOneName(path: string): void {
  const names = statSync(path).nlink;
  if (names <= MOST_NAMES) return;
  throw new Error(
    `${path} has ${names} names (hard links), each with a separate log. Keep the name that the server used last; ` +
      'a file that ends in -wal may be next to it. Remove the other names.',
  );
}

/** Throws unless the current user owns the file: the server could not open the files that another user creates. */
export function assertOwner(path: string, file: Stats): void {
  if (process.getuid?.() === file.uid) return;
  throw new Error(`${path} belongs to another user: ${asOwner(file)}.`);
}

export function asOwner({ uid }: Stats): string {
  return `run this as that user, for example with sudo -u '#${uid}'`;
}

/**
 * Makes this process the only owner of a file under all its names. Locks a byte of the file that SQLite never touches.
 * The operating system releases the lock when the process exits.
 */
function ownFile(path: string): () => void {
  // a lock on macOS covers the whole file and would lock SQLite out too
  if (process.platform === 'darwin') return () => {};
  // check before opening the file: see `owned`
  const known = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (known !== undefined && owned.has(idOf(known))) throw inUse(path);
  const file = openSync(path, 'a+');
  try {
    if (!tryLock(file, OWNERS_BYTE, 1)) throw inUse(path);
  } catch (error) {
    closeSync(file);
    throw error;
  }
  const id = idOf(fstatSync(file, { bigint: true }));
  owned.add(id);
  return () => {
    if (!owned.delete(id)) return;
    closeSync(file);
  };
}

function idOf({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`;
}

function inUse(path: string): DatabaseInUse {
  return new DatabaseInUse(
    `${path} is in use by another server. Only one process can own an SQLite file: stop the other server, ` +
      'set DATABASE_URL to another file, or use PostgreSQL for several servers.',
  );
}
