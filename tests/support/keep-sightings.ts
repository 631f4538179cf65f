import { relative } from 'node:path';
import { afterAll, expect } from 'vitest';
import { recordOf, writeRecord } from '../tools/coverage/record.ts';
import { run } from './run.ts';
import { sightings } from './sightings.ts';

// set up before the hooks of a test file, so it runs behind them, when the servers are closed
afterAll(() => {
  const file = relative('tests', expect.getState().testPath!);
  if (Object.keys(sightings).length > 0) writeRecord(recordOf(run, file), sightings);
  // the next file of this process has its own
  for (const part of Object.keys(sightings)) delete sightings[part];
});
