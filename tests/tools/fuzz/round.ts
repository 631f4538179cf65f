import type { Who } from './attack.ts';
import { OPERATION_IDS } from './contract.ts';
import { curlOf } from './curl.ts';
import { attackOperation, type Range } from './run-attacks.ts';
import { playSequences } from './run-sequences.ts';
import type { Sent } from './send.ts';

/** Attacks on each operation in a round, and sequences. */
const ATTACKS_EACH = 25;
export const SEQUENCES = 20;

export const ATTACKS = ATTACKS_EACH * OPERATION_IDS.length;

/** Attacks every operation; resolves with what was found, told for a person, or null. */
export async function roundOfAttacks(range: Range, seed: number): Promise<string | null> {
  for (const operation of OPERATION_IDS) {
    const found = await attackOperation(range, operation, { seed, runs: ATTACKS_EACH });
    if (found === null) continue;
    const { attack, problems, request } = found;
    return told({ seed, what: operation, problems, example: JSON.stringify(attack), request, who: attack.draft.who });
  }
  return null;
}

export async function roundOfSequences(range: Range, seed: number): Promise<string | null> {
  const found = await playSequences(range, { seed, runs: SEQUENCES });
  if (found === null) return null;
  const { commands, problems, request } = found;
  return told({ seed, what: 'a sequence', problems, example: commands, request, who: 'a passenger' });
}

interface Told {
  readonly seed: number;
  readonly what: string;
  readonly problems: string;
  /** As small as it got. */
  readonly example: string;
  readonly request: Sent | undefined;
  readonly who: Who;
}

function told({ seed, what, problems, example, request, who }: Told): string {
  const lines = [`${what}, seed ${seed}: ${problems}`, example, `again: npm run fuzz -- --seed ${seed}`];
  return [...lines, request ? curlOf(request, who) : []].flat().join('\n  ');
}
