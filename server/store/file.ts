import { rmSync, statSync, writeFileSync } from 'node:fs';
import { SECOND_MS } from '../domain/time.ts';

/** A few database pages, and enough to fail on a full disk in spite of rounding to blocks. */
const ROOM = Buffer.alloc(64 * 1024);

export type DatabaseFile = ReturnType<typeof watchFile>;

/**
 * Detects problems with the file that SQLite does not report. Each check runs at most once a second.
 * @param now milliseconds on a monotonic clock
 */
export function watchFile(path: string, now: () => number = () => performance.now()) {
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
    /** Throws if the file was deleted or replaced: SQLite would keep using the old file, which no one else can open. */
    assertThere: onceASecond(now, isThere, 'SQLITE_READONLY_DBMOVED', `${path} was deleted or replaced`),
    /**
     * Throws if nothing can be written next to the file, for example on a full disk. Even then, SQLite's own writes can
     * succeed while its log has pages to reuse.
     */
    assertRoom: onceASecond(now, hasRoom, 'SQLITE_FULL', `Cannot write next to ${path}`),
  };
}

/**
 * Reuses a check's result for a second.
 * @param code tells callers that the same call may succeed later
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
