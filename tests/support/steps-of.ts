import type { Store } from '../../server/store/engine/open.ts';
import { everythingStored } from './everything-stored.ts';

/** The effect of a transaction that deletes rows. */
export interface Step {
  /** The number of deleted rows. */
  readonly deleted: number;
  /** Whether the event loop turned after the previous step, so that other requests could be served. */
  readonly hasTurned: boolean;
}

/** The same store, which records the transactions that delete rows. It calls `before` before each transaction. */
export function stepping(
  store: Store,
  before: () => unknown = () => {},
): { readonly store: Store; readonly steps: Step[] } {
  const steps: Step[] = [];
  let hasTurned = true;
  const transaction: Store['transaction'] = async (work) => {
    await before();
    const turnedBefore = hasTurned;
    const rows = await countRows(store);
    const result = await store.transaction(work);
    const deleted = rows - (await countRows(store));
    if (deleted > 0) {
      steps.push({ deleted, hasTurned: turnedBefore });
      hasTurned = false;
      setImmediate(() => {
        hasTurned = true;
      });
    }
    return result;
  };
  return { store: { ...store, transaction }, steps };
}

async function countRows(store: Store): Promise<number> {
  return Object.values(await everythingStored(store)).flat().length;
}
