import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../generated/server.ts';
import { OPERATION_IDS } from '../support/operations.ts';
import { forAll } from '../support/started.ts';
import { ATTACKS, roundOfAttacks } from '../tools/fuzz/round.ts';
import { openRange } from '../tools/fuzz/run-attacks.ts';
import { Tally } from '../tools/fuzz/tally.ts';

const LEAST_ATTACKS = 20_000;
const ROUNDS = Math.ceil(LEAST_ATTACKS / ATTACKS);

/** With more rows stored, it takes longer to check that a refused call changed none of them. */
const ROUNDS_ON_A_SERVER = 5;
const SEEDS = Array.from({ length: ROUNDS }, (_, i) => i + 1);
const PARTS = SEEDS.filter((seed) => seed % ROUNDS_ON_A_SERVER === 1).map((first) =>
  SEEDS.slice(first - 1, first - 1 + ROUNDS_ON_A_SERVER),
);

const tally = new Tally();

describe.each(PARTS)('on a new server, from seed %i on', (...seeds) => {
  const range = forAll(() => openRange('sqlite', tally));

  test.each(seeds)('every answer to a round of attacks with seed %i keeps to the contract', async (seed) => {
    expect(await roundOfAttacks(range, seed)).toBeNull();
  });
});

test('the attacks came as far as each operation can', () => {
  const missed = OPERATION_IDS.filter((id) => !tally.statusesOf(id).has(OPERATIONS[id].successStatus));
  expect(missed).toEqual([]);
  const spared = OPERATION_IDS.filter((id) => !tally.statusesOf(id).has(400));
  expect(spared).toEqual([]);
});
