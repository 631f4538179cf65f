import { closeSync, fdatasync, fsyncSync, openSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';

export type WriteAheadLog = ReturnType<typeof openWriteAheadLog>;

/**
 * The file that SQLite appends commits to. With `synchronous = normal`, a commit is safe from a crash of this process,
 * but not yet from a loss of power.
 * @param path the database file. Its log must exist: SQLite creates it with the first read.
 */
export function openWriteAheadLog(path: string) {
  // SQLite names the log after the file, not after a link to it
  const real = realpathSync(path);
  const file = openSync(`${real}-wal`, 'r+');
  flushNameOf(real);
  let commits = 0;
  /** How many of the commits are on disk. */
  let onDisk = 0;
  let running: { readonly commits: number; readonly ended: Promise<void> } | null = null;
  let next: Promise<void> | null = null;
  let closed: Promise<void> | null = null;
  let trouble: Error | null = null;

  const failed = (cause: Error): Error => {
    const message = `Cannot write ${path} to disk. Restart the server. The error: ${cause.message}`;
    trouble ??= Object.assign(new Error(message, { cause }), { code: 'SQLITE_IOERR_FSYNC' });
    return trouble;
  };
  /**
   * Throws if an earlier write has failed. The operating system may have dropped the data, and would report success for
   * the next write. The next start copies the whole log to the database file before it accepts new commits.
   */
  const assertSound = (): void => {
    if (trouble !== null) throw trouble;
  };
  const write = async (upTo: number) => {
    try {
      await new Promise<void>((resolve, reject) => {
        fdatasync(file, (error) => (error === null ? resolve() : reject(failed(error))));
      });
      onDisk = upTo;
    } finally {
      running = null;
    }
  };
  /**
   * Resolves when all commits so far are on disk. Does not block the event loop. Commits made during a write share the
   * next one. Rejects after a write has failed: see assertSound.
   */
  const flushed = async (): Promise<void> => {
    assertSound();
    if (commits === onDisk) return;
    running ??= { commits, ended: write(commits) };
    if (running.commits === commits) return running.ended;
    // the running write may have begun before the last commit
    const goOn = () => {
      next = null;
      return flushed();
    };
    next ??= running.ended.then(goOn, goOn);
    return next;
  };

  return {
    noteCommit: (): void => {
      commits += 1;
    },
    flushed,
    assertSound,
    /** Waits for the writes that have begun or are due. */
    close: (): Promise<void> => {
      closed ??= flushed()
        .catch(() => {})
        .then(() => closeSync(file));
      return closed;
    },
  };
}

/** A new file can be lost, with all its data, until its folder is on disk. */
function flushNameOf(path: string): void {
  const folder = openSync(dirname(path), 'r');
  fsyncSync(folder);
  closeSync(folder);
}
