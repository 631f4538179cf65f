import { type BigIntStats, closeSync, fstatSync, openSync, type Stats, statSync } from 'node:fs';
import { tryLock } from 'fs-native-extensions';
import Libsql from 'libsql';

/** A byte beyond any database: SQLite reads, writes and locks only bytes before 2^48. */
const OWNERS_BYTE = 2 ** 50;
/** Of an SQLite file: its log belongs to one name. */
const MOST_NAMES = 1;
/** The files that this process owns. Closing a file also drops the locks that SQLite holds on it in this process. */
const owned = new Set<string>();

/** Another process owns the SQLite file. */
export class DatabaseInUse extends Error {
  override readonly name = 'DatabaseInUse';
}

/**
 * Makes this process the only owner of an SQLite file, under all its names, until it releases the file or dies. Creates
 * an empty file if absent. The file itself stays readable for backups.
 * Throws DatabaseInUse when another process owns the file, and an Error when the file has several names.
 * @returns the release function; call it after the database is closed
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
 * Makes this process the only owner of a path, whether or not there is a file. The lock is an open transaction on an
 * empty database beside the file. The operating system ends it with the process, so no stale lock can remain.
 * Throws when another process owns the path. No other code may open the lock file: closing it would drop the lock.
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
 * Throws when a file has several names. The log of a server that died has the name that the server used, so under another
 * name what the log holds would be missing, and the file would be damaged later.
 */
export function assertOneName(path: string): void {
  const names = statSync(path).nlink;
  if (names <= MOST_NAMES) return;
  throw new Error(
    `${path} has ${names} names (hard links), and each has a log of its own. Keep the name that the server used last, ` +
      'which may have a file that ends with -wal beside it. Remove the others.',
  );
}

/** Throws for a user whose files the server could not open later. */
export function assertOwner(path: string, file: Stats): void {
  if (process.getuid?.() === file.uid) return;
  throw new Error(`${path} is of another user: ${asOwner(file)}.`);
}

export function asOwner({ uid }: Stats): string {
  return `run this as that user, for example with sudo -u '#${uid}'`;
}

/**
 * Makes this process the only owner of a file, whatever its names. The lock is on the file, on a byte that SQLite leaves
 * alone, and the operating system ends it with the process.
 */
function ownFile(path: string): () => void {
  // the lock of macOS covers the whole file, and would keep SQLite out too
  if (process.platform === 'darwin') return () => {};
  // before the file is opened: see `owned`
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
    `${path} is in use by another server. One process owns an SQLite file: stop the other one, ` +
      'name another file in DATABASE_URL, or use PostgreSQL for several.',
  );
}
