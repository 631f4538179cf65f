import fc from 'fast-check';
import { defaultToken } from '../../support/sandboxes.ts';
import { findingAmong } from './ask.ts';
import type { Range } from './run-attacks.ts';
import { rideCommands } from './sequences/rides.ts';
import { control, moveIn } from './sequences/stay.ts';
import { worldCommands } from './sequences/world.ts';

/** Commands in any order. */
const sequences = fc.commands([...rideCommands, ...worldCommands], { maxCommands: 30, size: 'max' });

/** Sequences in a round. */
export const SEQUENCES = 20;

/** Plays sequences, each in a new world. Resolves with a description of the finding, or null. */
export async function roundOfSequences({ server, ask }: Range, seed: number): Promise<string | null> {
  const homeToken = await defaultToken(server);
  return findingAmong('a sequence', sequences, { seed, numRuns: SEQUENCES }, async (commands) => {
    const { model, real } = await moveIn(ask, homeToken);
    try {
      await fc.asyncModelRun(() => ({ model, real }), commands);
    } finally {
      await control(real, 'deleteWorld', undefined, 204);
    }
  });
}
