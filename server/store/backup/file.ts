import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import Libsql from 'libsql';
import { SECOND_MS } from '../../domain/time.ts';
import type { FileLocation } from '../location.ts';
import { assertOneName, ownName } from '../one-owner.ts';
import { keep } from './keep.ts';

/**
 * How long a backup waits for a writer of the SQLite file, such as a server that starts or stops.
 * @beyond it fails and leaves no file
 * @heldBy tests/process/backup.test.ts
 */
const MOST_WAITING_MS = 10 * SECOND_MS;

/**
 * Writes a consistent copy of the database to a new file. A server can keep writing: the copy is one read transaction,
 * which blocks no writer. It does not take ownership of the file or change it.
 */
export function backUpFile({ path }: FileLocation, file: string): Promise<void> {
  // opening a missing file would create it
  if (!existsSync(path)) throw new Error(`There is no database at ${path}. Check DATABASE_URL.`);
  assertOneName(path);
  return keep(file, (unfinished) => {
    const database = new Libsql(path, { timeout: MOST_WAITING_MS });
    try {
      database.exec(`vacuum into '${unfinished.replaceAll("'", "''")}'`);
    } finally {
      database.close();
    }
    check(unfinished);
  });
}

/**
 * Copies a backup to the path of a server's database. Throws when a server owns the path or a database exists there.
 */
export async function restoreFile({ path }: FileLocation, file: string): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  const release = ownName(path);
  try {
    // a leftover log would corrupt the restored database
    const occupied = ['', '-wal', '-shm'].map((end) => path + end).filter(existsSync);
    if (occupied.length > 0) {
      throw new Error(
        `A database already exists at ${occupied.join(', ')}. Move it away, or set DATABASE_URL to another file.`,
      );
    }
    assertOneName(file);
    await keep(path, (unfinished) => {
      copyFileSync(file, unfinished);
      check(unfinished);
    });
  } finally {
    release();
  }
}

/** Throws unless the file is an intact database of this server. */
function check(file: string): void {
  let problems: readonly unknown[];
  try {
    problems = problemsIn(file);
  } catch (error) {
    problems = [(error as Error).message];
  }
  if (problems.length > 0) throw new Error(`The backup is damaged, or is not a backup: ${problems.join(', ')}`);
}

function problemsIn(file: string): unknown[] {
  const database = new Libsql(file);
  try {
    const found = database.prepare('pragma integrity_check').raw().all().flat();
    const migrations = database.prepare('select name from kysely_migration').all();
    return migrations.length === 0 ? ['no migration has run'] : found.filter((line) => line !== 'ok');
  } finally {
    database.close();
    for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true });
  }
}
