import type { KyselyPlugin } from 'kysely';
import type { Store } from '../../server/store/engine/open.ts';
import type { Database } from '../../server/store/schema.ts';
import { transaction } from '../../server/store/transaction.ts';

/** Makes the queries of a store fail. */
export type Faults = ReturnType<typeof fragile>['faults'];

/** The same store, with queries that fail on demand. */
export function fragile(store: Store) {
  let count = 0;
  let errorOf: (k: number) => Error | undefined = () => undefined;
  let hasFailed = false;
  let outrun: string | null = null;
  const outrunQueries = new WeakSet<object>();

  const query = () => {
    count += 1;
    const error = errorOf(count);
    if (error === undefined) return;
    hasFailed = true;
    throw error;
  };
  const plugin: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      query();
      if (node.kind === 'UpdateQueryNode' && JSON.stringify(node.table).includes(`"${outrun}"`))
        outrunQueries.add(queryId);
      return node;
    },
    transformResult: async ({ result, queryId }) =>
      outrunQueries.has(queryId) ? { ...result, numAffectedRows: 0n } : result,
  };
  const db = store.db.withPlugin(plugin);
  const failWhen = (isHit: (k: number) => boolean, error: Error) => {
    count = 0;
    hasFailed = false;
    errorOf = (k) => (isHit(k) ? error : undefined);
  };

  const broken: Store = {
    ...store,
    db,
    transaction: (work) =>
      transaction(db, async (tx) => {
        const result = await work(tx);
        // stands for the commit: if it fails, the rollback must undo the work above
        query();
        return result;
      }),
  };
  const faults = {
    /** Fails only the k-th query from now on, starting at 1. A commit counts as a query. */
    failOnce: (k: number, error: Error) => failWhen((n) => n === k, error),
    /** Fails the k-th query and all later ones, like a database that went down. */
    failFrom: (k: number, error: Error) => failWhen((n) => n >= k, error),
    /** From now on, every update of a table changes no row, as if another writer were always faster. */
    outrunUpdatesOf: (table: keyof Database) => {
      outrun = table;
    },
    /** Ends all faults. @returns whether a query failed */
    mend: () => {
      errorOf = () => undefined;
      outrun = null;
      return hasFailed;
    },
  };
  return { store: broken, faults };
}
