import { expect, test } from 'vitest';
import { rounds } from '../support/run.ts';
import { forAll } from '../support/started.ts';
import { openRange } from '../tools/fuzz/run-attacks.ts';
import { roundOfSequences, SEQUENCES } from '../tools/fuzz/run-sequences.ts';

const ROUNDS = rounds({ usually: 5, atLength: Math.ceil(500 / SEQUENCES) });

const range = forAll(() => openRange('sqlite'));

test.each(Array.from({ length: ROUNDS }, (_, i) => i + 1))(
  'a round of sequences with seed %i follows the contract',
  async (seed) => {
    expect(await roundOfSequences(range, seed)).toBeNull();
  },
);

test('the sequences reached every end of a ride', () => {
  expect([...range.tally.statusesOf('getReceipt')]).toEqual(expect.arrayContaining([200, 404]));
  expect([...range.tally.statusesOf('rateRide')]).toEqual(expect.arrayContaining([204, 400, 409]));
  expect([...range.tally.statusesOf('cancelRide')]).toEqual(expect.arrayContaining([204, 400, 409]));
});
