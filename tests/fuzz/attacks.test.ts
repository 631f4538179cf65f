import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPERATIONS } from '../../generated/server.ts';
import { OPERATION_IDS } from '../../scripts/fuzz/contract.ts';
import { ATTACKS, roundOfAttacks } from '../../scripts/fuzz/round.ts';
import { openRange, type Range } from '../../scripts/fuzz/run-attacks.ts';

const LEAST_ATTACKS = 20_000;
const ROUNDS = Math.ceil(LEAST_ATTACKS / ATTACKS);

let range: Range;
beforeAll(async () => {
  range = await openRange('sqlite');
});
afterAll(() => range.close());

test.each(Array.from({ length: ROUNDS }, (_, i) => i + 1))(
  'every answer to a round of attacks with seed %i keeps to the contract',
  async (seed) => {
    expect(await roundOfAttacks(range, seed)).toBeNull();
  },
);

test('the attacks came as far as each operation can', () => {
  const missed = OPERATION_IDS.filter((id) => !range.tally.statusesOf(id).has(OPERATIONS[id].successStatus));
  expect(missed).toEqual([]);
  const spared = OPERATION_IDS.filter((id) => !range.tally.statusesOf(id).has(400));
  expect(spared).toEqual([]);
});
