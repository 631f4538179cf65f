import { afterAll, beforeAll, expect, test } from 'vitest';
import { roundOfSequences, SEQUENCES } from '../tools/fuzz/round.ts';
import { openRange, type Range } from '../tools/fuzz/run-attacks.ts';

const LEAST_SEQUENCES = 500;
const ROUNDS = Math.ceil(LEAST_SEQUENCES / SEQUENCES);

let range: Range;
beforeAll(async () => {
  range = await openRange('sqlite');
});
afterAll(() => range.close());

test.each(Array.from({ length: ROUNDS }, (_, i) => i + 1))(
  'a round of sequences with seed %i goes as the contract tells',
  async (seed) => {
    expect(await roundOfSequences(range, seed)).toBeNull();
  },
);

test('rides came to every end', () => {
  expect([...range.tally.statusesOf('getReceipt')]).toEqual(expect.arrayContaining([200, 403, 404]));
  expect([...range.tally.statusesOf('rateRide')]).toEqual(expect.arrayContaining([204, 400, 403, 409]));
  expect([...range.tally.statusesOf('cancelRide')]).toEqual(expect.arrayContaining([204, 400, 403, 409]));
});
