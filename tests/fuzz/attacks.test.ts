import { expect, onTestFinished, test } from 'vitest';
import { OPERATIONS } from '../../generated/server.ts';
import { OPERATION_IDS } from '../support/operations.ts';
import { rounds } from '../support/run.ts';
import { ATTACKS, openRange, roundOfAttacks } from '../tools/fuzz/run-attacks.ts';
import { Tally } from '../tools/fuzz/tally.ts';

/** Two rounds get every status that the last test expects. */
const ROUNDS = rounds({ usually: 2, atLength: Math.ceil(20_000 / ATTACKS) });
const SEEDS = Array.from({ length: ROUNDS }, (_, i) => i + 1);

const tally = new Tally();

// each on a new server, because an application may have only so many sandboxes
test.each(SEEDS)('every response in a round of attacks with seed %i follows the contract', async (seed) => {
  const range = await openRange('sqlite', { tally });
  onTestFinished(range.close);
  expect(await roundOfAttacks(range, seed)).toBeNull();
});

test('the attacks got a success and a 400 from every operation', () => {
  const missed = OPERATION_IDS.filter((id) => !tally.statusesOf(id).has(OPERATIONS[id].successStatus));
  expect(missed).toEqual([]);
  const spared = OPERATION_IDS.filter((id) => !tally.statusesOf(id).has(400));
  expect(spared).toEqual([]);
});
