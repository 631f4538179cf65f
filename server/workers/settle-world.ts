import type { Parts } from '../parts.ts';
import { settleRides } from '../rides/save.ts';
import { settleClock } from '../store/clocks.ts';
import { whileLocked } from '../store/transaction.ts';
import { findUnsettled, unsettledWorldIds } from '../store/unsettled.ts';
import { holdWorld } from '../store/worlds.ts';
import { eachInTurn, unlessGone } from './each-in-turn.ts';
import type { StepGate } from './step-gate.ts';

export type SettlingParts = Pick<Parts, 'store' | 'now' | 'simulationSpeed'> & { readonly steps: StepGate };

/** Completes a change to a large world in steps, with calls in between. Throws WorldGone. */
export async function settleWorld(parts: SettlingParts, worldId: string): Promise<void> {
  const more = () => parts.steps.run(worldId, () => settleMore(parts, worldId));
  while (!(await whileLocked(more)));
}

/** Settles the worlds that a crashed process left unsettled. */
export async function settleWorlds(parts: SettlingParts): Promise<void> {
  await eachInTurn(await unsettledWorldIds(parts.store.db), (id) => settleWorld(parts, id).catch(unlessGone));
}

/** Two processes may settle one world: a step continues where the previous one ended. @returns whether it is settled */
function settleMore(parts: SettlingParts, id: string): Promise<boolean> {
  return parts.store.transaction(async (tx) => {
    const world = await holdWorld(tx, { id, kind: 'sandbox' });
    const { clock, clockSettledTo, ridesAfter } = await findUnsettled(tx, world);
    if (clock) await settleClock(tx, world, clockSettledTo);
    else if (ridesAfter !== null) await settleRides(parts, tx, world, ridesAfter);
    return !clock && ridesAfter === null;
  }, 'briefly');
}
