import { HOUR_MS } from '../domain/time.ts';
import {
  deletedApplications,
  deleteSomeLeftBy,
  forgetDeletedApplication,
  sandboxesLeftBy,
} from '../store/application-ends.ts';
import { whileLocked } from '../store/transaction.ts';
import { eachInTurn, unlessGone } from './each-in-turn.ts';
import { type EndParts, endWorldInTurns } from './world-ends.ts';

/** The gate's flow for the remaining data of deleted applications. */
const FLOW = 'application ends';
/** For this long after the deletion, each sweep also deletes what concurrent calls have written since. */
const ROW_KEPT_MS = HOUR_MS;

export async function finishApplicationEnds(parts: EndParts): Promise<void> {
  await eachInTurn(await deletedApplications(parts.store.db), async ({ id, deletedAt }) => {
    const isLast = parts.now() - deletedAt >= ROW_KEPT_MS;
    await deleteAllLeftBy(parts, id);
    if (isLast) await forgetDeletedApplication(parts.store.db, id);
  });
}

/**
 * Deletes the remaining data of a deleted application, so that a new one can use its id. Call it only before the server
 * accepts calls: otherwise, data that a concurrent call writes would belong to the new application.
 */
export async function freeApplicationId(parts: EndParts, id: string): Promise<void> {
  const deleted = await deletedApplications(parts.store.db);
  if (!deleted.some((application) => application.id === id)) return;
  await deleteAllLeftBy(parts, id);
  await forgetDeletedApplication(parts.store.db, id);
}

async function deleteAllLeftBy(parts: EndParts, id: string): Promise<void> {
  const { store, steps } = parts;
  const deleteSandboxes = async () =>
    eachInTurn(await sandboxesLeftBy(store.db, id), (world) =>
      endWorldInTurns(parts, world, 'deletion').catch(unlessGone),
    );
  const deleteOthers = async () => {
    const more = () => steps.run(FLOW, () => store.transaction((tx) => deleteSomeLeftBy(tx, id), 'briefly'));
    while (await whileLocked(more));
  };
  await eachInTurn([deleteSandboxes, deleteOthers], (part) => part());
}
