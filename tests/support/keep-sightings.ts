import { relative } from 'node:path';
import { afterAll, expect } from 'vitest';
import { recordOf, writeRecord } from '../tools/coverage/record.ts';
import { run } from './run.ts';
import { sightings } from './sightings.ts';

// vitest runs the first afterAll hook last, when a file's servers are closed
afterAll(() => {
  const file = relative('tests', expect.getState().testPath!);
  if (Object.keys(sightings).length > 0) writeRecord(recordOf(run, file), sightings);
  // the next test file in this process must start without any
  for (const part of Object.keys(sightings)) delete sightings[part];
});
