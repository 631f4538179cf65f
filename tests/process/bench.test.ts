import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { everyEngine } from '../support/database.ts';
import { run } from '../support/run.ts';

/** Benches, each with the beginning of its last row. `npm run check:speed` runs `ratios`. */
const LAST_ROWS =
  run === 'long'
    ? everyEngine.flatMap((engine) => [
        ['requests', engine, '| POST rides'],
        ['webhooks', engine, '| new events during the backlog |'],
        ['start', engine, '| the server |'],
        ...(engine === 'postgres' ? [['instances', engine, '| POST rides | 4 |']] : []),
      ])
    : [['scale --rides 2000', 'sqlite', '| MB under load |']];

test.each(LAST_ROWS)('the bench %s runs on %s', async (name, engine, row) => {
  const options = [...name!.split(' '), '--engine', engine!, '--quick'];
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', 'bench/bench.ts', ...options]);
  expect(stdout).toMatch(new RegExp(`^${engine}, quick: these figures mean nothing; \\d+ cores, load .* node v\\d`));
  expect(stdout.split('\n').filter((line) => line.startsWith(row!))).not.toEqual([]);
});
