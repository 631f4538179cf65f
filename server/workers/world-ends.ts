import { WORLD_LIMITS } from '../../generated/server.ts';
import { auditTo } from '../audit.ts';
import { DAY_MS } from '../domain/time.ts';
import type { Parts } from '../parts.ts';
import type { Tx, WorldEnd } from '../store/schema.ts';
import { whileLocked } from '../store/transaction.ts';
import { type CallPlace, FIRST_CALL, forgottenWorlds } from '../store/world-calls.ts';
import { type Ending, endingWorlds, endWorld, MOST_ROWS_ENDED_AT_ONCE } from '../store/world-ends.ts';
import { eachInTurn, unlessGone } from './each-in-turn.ts';
import type { StepGate } from './step-gate.ts';

export type EndParts = Pick<Parts, 'store' | 'now'> & { readonly steps: StepGate };

/**
 * Resets or deletes a sandbox. A large one takes several transactions, and other work runs between them. Throws
 * WorldGone.
 * @param isBegun whether this continues an earlier reset or deletion
 * @param most the most rows that one transaction deletes
 */
export async function endWorldInTurns(
  { store, now, steps }: EndParts,
  worldId: string,
  end: WorldEnd,
  { isBegun = false, most = MOST_ROWS_ENDED_AT_ONCE[store.engine] }: Partial<Pick<Ending, 'isBegun' | 'most'>> = {},
): Promise<void> {
  const goOn = (goesOn: boolean) => {
    const work = (tx: Tx) => endWorld(tx, worldId, { end, isBegun: goesOn, realNow: now(), most });
    return whileLocked(() => steps.run(worldId, () => store.transaction(work, 'briefly')));
  };
  for (let isOver = await goOn(isBegun); !isOver; ) isOver = await goOn(true);
}

/** Completes the resets and deletions that a server left unfinished. */
export async function finishEnds(parts: EndParts): Promise<void> {
  await eachInTurn(await endingWorlds(parts.store.db), ({ id, end }) =>
    endWorldInTurns(parts, id, end, { isBegun: true }).catch(unlessGone),
  );
}

/**
 * Worlds that the sweep reads in one query.
 * @beyond the next query gets the rest
 * @heldBy tests/workers/forgotten-worlds.test.ts
 */
const MOST_WORLDS_AT_ONCE = 100;
/** Calls are recorded once a day, so the latest call can be a day later than the recorded one. */
export const UNUSED_KEPT_MS = (WORLD_LIMITS.days + 1) * DAY_MS;

/** Deletes sandboxes without a call for a long time, as deleteWorld does. */
export async function deleteForgottenWorlds(parts: EndParts & Pick<Parts, 'logger'>): Promise<void> {
  const audit = auditTo(parts.logger);
  for (let after: CallPlace | null = FIRST_CALL; after !== null; ) {
    const before = parts.now() - UNUSED_KEPT_MS;
    const { worlds, last } = await forgottenWorlds(parts.store.db, before, after, MOST_WORLDS_AT_ONCE);
    for (const { id, applicationId } of worlds) {
      const tell = () => audit({ event: 'world_deleted', result: 'unused', application: applicationId, world: id });
      await endWorldInTurns(parts, id, 'deletion').then(tell, unlessGone);
    }
    after = last;
  }
}
