import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { instant } from './clock.ts';
import type { Options } from './options.ts';

const WRITES = 200;
const BLOCK = Buffer.alloc(4096);

/** A Markdown table. All columns but the first are aligned to the right. */
export function tableOf(heads: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  const rule = heads.map((_, column) => (column === 0 ? '---' : '---:'));
  return [heads, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/**
 * A line about what the figures depend on besides the code. Call it before the measurement: if the load exceeds the
 * number of cores, other processes slow down the bench.
 */
export function conditions({ engine, quick }: Pick<Options, 'engine' | 'quick'>): string {
  const kind = quick ? `${engine}, quick: these figures mean nothing` : engine;
  const machine = `${availableParallelism()} cores, load ${loadavg()[0]!.toFixed(1)} at the start, ${durableWritesPerSecond()} fsyncs/s`;
  return `${kind}; ${machine}, node ${process.version}; ${new Date().toISOString().slice(0, 10)}`;
}

/** Sequential 4 KiB writes per second with fdatasync, in the temporary folder. */
function durableWritesPerSecond(): string {
  const path = join(tmpdir(), `ridehail-${process.pid}.bench`);
  const file = openSync(path, 'w');
  try {
    const from = instant();
    for (let i = 0; i < WRITES; i++) {
      writeSync(file, BLOCK, 0, BLOCK.length, 0);
      fdatasyncSync(file);
    }
    return ((WRITES * 1000) / (instant() - from)).toFixed(0);
  } finally {
    closeSync(file);
    rmSync(path);
  }
}
