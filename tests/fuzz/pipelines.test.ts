import { expect, test } from 'vitest';
import { forAll } from '../support/started.ts';
import { roundOfPipelines } from '../tools/fuzz/pipelines.ts';
import { openRange } from '../tools/fuzz/run-attacks.ts';

const range = forAll(() => openRange('sqlite'));

test.each([1, 2, 3])(
  'pipelined requests whose answers are read late are answered in order, with seed %i',
  async (seed) => {
    expect(await roundOfPipelines(range, seed)).toBeNull();
  },
);
