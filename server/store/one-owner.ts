import Libsql from 'libsql';

/**
 * Makes this process the only owner of an SQLite file, until it releases it or dies. The lock is an open transaction on
 * an empty database beside the file. The operating system ends it with the process, so no stale lock can remain, and
 * the file itself stays readable for backups.
 * Throws when another process owns the file. No other code may open the lock file: closing it would drop the lock.
 * @returns the release function
 */
export function ownAlone(path: string): () => void {
  const lock = new Libsql(`${path}.lock`);
  try {
    // no journal: nothing is ever written here
    lock.exec('pragma journal_mode = off');
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if (!(error instanceof Error) || (error as { code?: unknown }).code !== 'SQLITE_BUSY') throw error;
    throw new Error(
      `${path} is in use by another server. One process owns an SQLite file: stop the other one, ` +
        'name another file in DATABASE_URL, or use PostgreSQL for several.',
    );
  }
  let held = true;
  return () => {
    if (!held) return;
    held = false;
    lock.exec('rollback');
    lock.close();
  };
}
