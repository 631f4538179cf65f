import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/**
 * The last two cores that this process may use: one for the servers and one for the load. On a machine with one core,
 * both are the same. Throws an Error if processes cannot be pinned.
 */
export function twoCores() {
  // such as `0-2,5`
  const [, list] = /^Cpus_allowed_list:\s*(\S+)$/m.exec(readIfThere('/proc/self/status')) ?? [];
  if (list === undefined) throw new Error('This bench needs Linux and taskset, because it pins processes to cores.');
  const allowed = list.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
  const load = allowed.at(-1)!;
  return { server: allowed.at(-2) ?? load, load };
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Starts Node on one core. */
export function spawnOn(core: number, parameters: readonly string[], options: SpawnOptions): ChildProcess {
  // taskset execs Node, so the process keeps its id and its channel
  return spawn('taskset', ['--cpu-list', String(core), process.execPath, ...parameters], options);
}

/** Microseconds of CPU time that a process has used so far, in all threads and in the kernel. */
export function cpuOf(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`).map((id) => readIfThere(`/proc/${pid}/task/${id}/schedstat`));
  // the first field is in nanoseconds; without the file, which some kernels lack, count in ticks of ten milliseconds
  if (threads.every((text) => text === '')) return ticksOf(pid) * MICROSECONDS_PER_TICK;
  return threads.reduce((sum, text) => sum + Number(text.split(' ')[0]), 0) / 1000;
}

/** The same on all Linux systems, see times(7). */
const MICROSECONDS_PER_TICK = 10_000;

function ticksOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // the name can contain spaces; the third field follows it, see proc(5)
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

/** MB of resident memory of a process. */
export function residentMegabytes(pid: number): string {
  const [, kilobytes] = /^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
  return ((Number(kilobytes) * 1024) / 1e6).toFixed(0);
}
