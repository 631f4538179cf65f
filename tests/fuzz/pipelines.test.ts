import { expect, test } from 'vitest';
import { forAll } from '../support/started.ts';
import { roundOfPipelines } from '../tools/fuzz/pipelines.ts';
import { openRange } from '../tools/fuzz/run-attacks.ts';

const range = forAll(() => openRange('sqlite'));

test.each([1, 2, 3])(
  'pipelined requests get their responses in order even if the client reads late, with seed %i',
  async (seed) => {
    expect(await roundOfPipelines(range, seed)).toBeNull();
  },
);
