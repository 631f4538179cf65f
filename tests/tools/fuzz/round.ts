import { OPERATION_IDS } from '../../support/operations.ts';
import { longAttacksOn } from './attacks.ts';
import { attackOperation, type Range } from './run-attacks.ts';
import { playSequences } from './run-sequences.ts';

/** Attacks on each operation in a round. */
const ATTACKS_EACH = 25;
export const SEQUENCES = 20;

export const ATTACKS = ATTACKS_EACH * OPERATION_IDS.length;

/** Attacks every operation. Resolves with a description of the first finding, or null. */
export async function roundOfAttacks(range: Range, seed: number): Promise<string | null> {
  for (const operation of OPERATION_IDS) {
    const found = await attackOperation(range, operation, { seed, runs: ATTACKS_EACH });
    if (found !== null) return found;
  }
  return null;
}

/** Sends every operation requests that are almost as large as the limits allow. Resolves like `roundOfAttacks`. */
export async function roundOfLongRequests(range: Range, seed: number): Promise<string | null> {
  for (const operation of OPERATION_IDS) {
    const attacks = longAttacksOn(operation);
    const found = await attackOperation(range, operation, { seed, runs: ATTACKS_EACH, attacks });
    if (found !== null) return found;
  }
  return null;
}

export function roundOfSequences(range: Range, seed: number): Promise<string | null> {
  return playSequences(range, { seed, runs: SEQUENCES });
}
