import { rmSync, statSync, writeFileSync } from 'node:fs';
import { SECOND_MS } from '../domain/time.ts';

/** Some pages of the database, and more than the file system may still have room for by rounding. */
const ROOM = Buffer.alloc(64 * 1024);

/** What SQLite itself does not notice about its file. Each check looks at most once a second. */
export interface DatabaseFile {
  /** Throws if the file was deleted or replaced: SQLite would go on with the old one, which nobody can open any more. */
  assertThere(): void;
  /**
   * Throws if nothing can be written beside the file. A write to SQLite could succeed all the same, as long as its log
   * has pages to use again.
   */
  assertRoom(): void;
}

/** @param now milliseconds on any clock that never goes back */
export function watchFile(path: string, now: () => number = () => performance.now()): DatabaseFile {
  const opened = statSync(path, { bigint: true });
  const isThere = () => {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (found?.ino !== opened.ino || found.dev !== opened.dev) throw new Error('put it back, or restart the server');
  };
  const probe = `${path}.probe`;
  const hasRoom = () => {
    try {
      writeFileSync(probe, ROOM);
    } finally {
      rmSync(probe, { force: true });
    }
  };
  return {
    assertThere: onceASecond(now, isThere, 'SQLITE_READONLY_DBMOVED', `${path} was deleted or replaced`),
    assertRoom: onceASecond(now, hasRoom, 'SQLITE_FULL', `Nothing can be written beside ${path}`),
  };
}

/**
 * Remembers for a second what a check found.
 * @param code by which callers learn that the same call may succeed later
 */
function onceASecond(now: () => number, check: () => void, code: string, meaning: string): () => void {
  let lookAgainAt = Number.NEGATIVE_INFINITY;
  let trouble: Error | null = null;
  return () => {
    if (now() >= lookAgainAt) {
      lookAgainAt = now() + SECOND_MS;
      trouble = null;
      try {
        check();
      } catch (cause) {
        const why = cause instanceof Error ? cause.message : String(cause);
        trouble = Object.assign(new Error(`${meaning}: ${why}`), { code });
      }
    }
    if (trouble !== null) throw trouble;
  };
}
