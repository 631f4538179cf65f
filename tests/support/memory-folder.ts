import { readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const LEAST_FREE_BYTES = 4 * 1024 ** 3;

/**
 * A folder for temporary files that no disk has to keep, because a server waits for the disk at each commit. The usual
 * folder for temporary files where there is no such memory, as in most containers, or where programs cannot run in it.
 */
export function memoryFolder(): string {
  const mounted = readMounts().find((line) => / \/dev\/shm tmpfs /.test(line));
  if (mounted === undefined || /\bnoexec\b|\bro,/.test(mounted)) return tmpdir();
  const { bavail, bsize } = statfsSync('/dev/shm');
  return bavail * bsize < LEAST_FREE_BYTES ? tmpdir() : '/dev/shm';
}

function readMounts(): string[] {
  try {
    return readFileSync('/proc/mounts', 'utf8').split('\n');
  } catch {
    // not Linux
    return [];
  }
}
