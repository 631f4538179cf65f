import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { instant } from './clock.ts';

const WRITES = 200;
const BLOCK = Buffer.alloc(4096);

/** What the figures depend on, in addition to the code. */
export interface Machine {
  readonly cores: number;
  readonly node: string;
  /** The 1-minute load average. If it exceeds the number of cores, other processes slow down the bench. */
  readonly load: number;
  /** Sequential 4 KiB writes per second with fdatasync, in the temporary folder. */
  readonly durableWritesPerSecond: number;
}

export function thisMachine(): Machine {
  return {
    cores: availableParallelism(),
    node: process.version,
    load: loadavg()[0]!,
    durableWritesPerSecond: durableWritesPerSecond(),
  };
}

function durableWritesPerSecond(): number {
  const path = join(tmpdir(), `ridehail-${process.pid}.bench`);
  const file = openSync(path, 'w');
  try {
    const from = instant();
    for (let i = 0; i < WRITES; i++) {
      writeSync(file, BLOCK, 0, BLOCK.length, 0);
      fdatasyncSync(file);
    }
    return (WRITES * 1000) / (instant() - from);
  } finally {
    closeSync(file);
    rmSync(path);
  }
}
