import { closeSync, fdatasync, fdatasyncSync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * The file that SQLite appends commits to. With `synchronous = normal`, a commit is safe from a crash of this process,
 * but not yet from a loss of power.
 */
export interface WriteAheadLog {
  /**
   * Resolves when all commits so far are on disk. Meanwhile, the event loop continues, and all commits in the meantime
   * share the next write. Rejects, also later, after a write has failed: see assertSound.
   */
  flushed(): Promise<void>;
  /** The same, but blocks until the commits are on disk. */
  flush(): void;
  /**
   * Throws if an earlier write has failed. The operating system may then have dropped the data, and would report success
   * for the next write. Only a restart reads what is really there.
   */
  assertSound(): void;
  close(): Promise<void>;
}

/** @param path the database file. Its log must exist: SQLite creates it with the first read. */
export function openWriteAheadLog(path: string): WriteAheadLog {
  const file = openSync(`${path}-wal`, 'r+');
  flushNameOf(path);
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  let trouble: Error | null = null;

  const failed = (cause: Error): Error => {
    const message = `Cannot write ${path} to disk, restart the server: ${cause.message}`;
    trouble ??= Object.assign(new Error(message, { cause }), { code: 'SQLITE_IOERR_FSYNC' });
    return trouble;
  };
  const assertSound = () => {
    if (trouble !== null) throw trouble;
  };
  const run = async () => {
    assertSound();
    await new Promise<void>((resolve, reject) => {
      fdatasync(file, (error) => (error === null ? resolve() : reject(failed(error))));
    });
  };
  const flushed = (): Promise<void> => {
    if (running === null) {
      running = run().finally(() => {
        running = null;
      });
      return running;
    }
    // the running write may have begun before the last commit
    next ??= running.then(() => {
      next = null;
      return flushed();
    });
    return next;
  };

  return {
    flushed,
    flush: () => {
      assertSound();
      try {
        fdatasyncSync(file);
      } catch (cause) {
        throw failed(cause as Error);
      }
    },
    assertSound,
    close: async () => {
      await running?.catch(() => {});
      closeSync(file);
    },
  };
}

/** A new file can be lost, with all its data, until its folder is on disk. */
function flushNameOf(path: string): void {
  const folder = openSync(dirname(path), 'r');
  fsyncSync(folder);
  closeSync(folder);
}
