import fc from 'fast-check';
import { findWorld } from '../../../server/store/worlds.ts';
import { told } from './ask.ts';
import type { Range } from './run-attacks.ts';
import { rideCommands } from './sequences/rides.ts';
import { moveIn, moveOut } from './sequences/stay.ts';
import { worldCommands } from './sequences/world.ts';

/** Commands in any order. */
const sequences = fc.commands([...rideCommands, ...worldCommands], { maxCommands: 30, size: 'max' });

/** Sequences in a round. */
export const SEQUENCES = 20;

/** Plays sequences, each in a new world. Resolves with a description of the finding, or null. */
export async function roundOfSequences({ server, ask }: Range, seed: number): Promise<string | null> {
  const home = await findWorld(server.store.db, 'demo-sandbox');
  const homeToken = await server.newToken({ world: home! });
  const property = fc.asyncProperty(sequences, async (commands) => {
    const { model, real } = await moveIn(ask, homeToken);
    try {
      await fc.asyncModelRun(() => ({ model, real }), commands);
    } finally {
      await moveOut(real);
    }
  });
  const details = await fc.check(property, { seed, numRuns: SEQUENCES });
  if (!details.failed) return null;
  const example = String(details.counterexample?.[0]);
  return told({ seed, what: 'a sequence', error: details.errorInstance, example, who: 'a passenger' });
}
