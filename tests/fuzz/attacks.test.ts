import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../generated/server.ts';
import { OPERATION_IDS } from '../support/operations.ts';
import { rounds } from '../support/run.ts';
import { forAll } from '../support/started.ts';
import { ATTACKS, openRange, roundOfAttacks } from '../tools/fuzz/run-attacks.ts';
import { Tally } from '../tools/fuzz/tally.ts';

/** Two rounds get every status that the last test expects. */
const ROUNDS = rounds({ usually: 2, atLength: Math.ceil(20_000 / ATTACKS) });

/** Checking that a refused call changed no rows takes longer with more rows, so a server runs only a few rounds. */
const ROUNDS_ON_A_SERVER = 5;
const SEEDS = Array.from({ length: ROUNDS }, (_, i) => i + 1);
const PARTS = SEEDS.filter((seed) => seed % ROUNDS_ON_A_SERVER === 1).map((first) =>
  SEEDS.slice(first - 1, first - 1 + ROUNDS_ON_A_SERVER),
);

const tally = new Tally();

describe.each(PARTS)('on a new server, starting with seed %i', (...seeds) => {
  const range = forAll(() => openRange('sqlite', { tally }));

  test.each(seeds)('every response in a round of attacks with seed %i follows the contract', async (seed) => {
    expect(await roundOfAttacks(range, seed)).toBeNull();
  });
});

test('the attacks got a success and a 400 from every operation', () => {
  const missed = OPERATION_IDS.filter((id) => !tally.statusesOf(id).has(OPERATIONS[id].successStatus));
  expect(missed).toEqual([]);
  const spared = OPERATION_IDS.filter((id) => !tally.statusesOf(id).has(400));
  expect(spared).toEqual([]);
});
