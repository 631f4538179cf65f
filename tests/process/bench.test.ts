import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { everyEngine } from '../support/database.ts';
import { run } from '../support/run.ts';

/** Benches, each with the beginning of its last row. `npm run check` runs `ratios`. */
const LAST_ROWS = everyEngine.flatMap((engine) => [
  ['requests', engine, '| POST rides'],
  ['webhooks', engine, '| new events during the backlog |'],
  ['start', engine, '| the server |'],
  ...(engine === 'sqlite' ? [['scale --rides 2000', engine, '| MB under load |']] : []),
  ...(engine === 'postgres' ? [['instances', engine, '| POST rides | 4 |']] : []),
]);

test.runIf(run === 'long').each(LAST_ROWS)('the bench %s runs on %s', async (name, engine, row) => {
  const options = [...name!.split(' '), '--engine', engine!, '--quick'];
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', 'bench/bench.ts', ...options]);
  expect(stdout).toMatch(new RegExp(`^${engine}, quick: these figures mean nothing; \\d+ cores, load .* node v\\d`));
  expect(stdout.split('\n').filter((line) => line.startsWith(row!))).not.toEqual([]);
});
