import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { instant } from './clock.ts';

const WRITES = 200;
const BLOCK = Buffer.alloc(4096);

/** What the figures depend on besides the code. */
export interface Machine {
  readonly cores: number;
  readonly node: string;
  /** The load average of a minute. Above the number of cores, other processes took a share of the CPU. */
  readonly load: number;
  /** Writes of 4 KiB per second that reach the disk one after another, in the folder for temporary files. */
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
