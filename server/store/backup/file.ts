import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import Libsql from 'libsql';
import { SECOND_MS } from '../../domain/time.ts';
import { assertOneName, ownName } from '../one-owner.ts';
import type { FilePlace } from '../place.ts';
import { keep } from './keep.ts';

/** A server that starts or stops may hold the file for a moment. */
const MOST_WAITING_MS = 10 * SECOND_MS;

/**
 * Writes the rows of one instant to a new file. A server may go on writing: the copy is one read transaction, which
 * delays no writer. It takes no ownership of the file, and changes nothing in it.
 */
export function backUpFile({ path }: FilePlace, file: string): Promise<void> {
  // opening a file that does not exist would create it
  if (!existsSync(path)) throw new Error(`There is no database at ${path}. DATABASE_URL names it.`);
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

/** Copies a backup to where a server will open it. Throws when a server owns the place, or a database is there. */
export async function restoreFile({ path }: FilePlace, file: string): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  const release = ownName(path);
  try {
    // a log without its database would change the restored one
    const occupied = ['', '-wal', '-shm'].map((end) => path + end).filter(existsSync);
    if (occupied.length > 0) {
      throw new Error(
        `There is a database at ${occupied.join(', ')}: move it away, or name another file in DATABASE_URL.`,
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

/** Throws when a file is not a whole database of this server. */
function check(file: string): void {
  let problems: readonly unknown[];
  try {
    problems = problemsIn(file);
  } catch (error) {
    problems = [(error as Error).message];
  }
  if (problems.length > 0) throw new Error(`The backup is damaged or is none: ${problems.join(', ')}`);
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
