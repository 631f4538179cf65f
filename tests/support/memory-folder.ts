import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const LEAST_FREE_BYTES = 4 * 1024 ** 3;

/**
 * A folder for temporary files that no disk has to keep, because a server waits for the disk at each commit. The usual
 * folder for temporary files where there is no such memory, as in most containers, or where programs cannot run in it.
 */
export function memoryFolder(): string {
  // only Linux has this file
  const mounts = existsSync('/proc/mounts') ? readFileSync('/proc/mounts', 'utf8') : '';
  if (!/ \/dev\/shm tmpfs (?!.*(\bnoexec\b|\bro,))/.test(mounts)) return tmpdir();
  const { bavail, bsize } = statfsSync('/dev/shm');
  return bavail * bsize < LEAST_FREE_BYTES ? tmpdir() : '/dev/shm';
}
