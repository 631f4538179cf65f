import type { KyselyPlugin } from 'kysely';
import type { Store } from '../../server/store/open.ts';
import type { Database } from '../../server/store/schema.ts';
import { transaction } from '../../server/store/transaction.ts';

/** What goes wrong with a store, and when. */
export interface Faults {
  /** Fails the k-th query from now on, counted from 1, and no other; a transaction's commit counts as a query. */
  failOnce(k: number, error: Error): void;
  /** Fails the k-th query and all that follow, as if the database went away. */
  failFrom(k: number, error: Error): void;
  /** From now on every update of a table finds that somebody else was quicker. */
  outrunUpdatesOf(table: keyof Database): void;
  /** From now on nothing goes wrong. @returns whether anything did */
  mend(): boolean;
}

/** The same store, but queries fail on demand. */
export function fragile(store: Store): { readonly store: Store; readonly faults: Faults } {
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

  return {
    store: {
      ...store,
      db,
      transaction: (work) =>
        transaction(db, async (tx) => {
          const result = await work(tx);
          // what fails here has done all its work, and must leave none
          query();
          return result;
        }),
    },
    faults: {
      failOnce: (k, error) => failWhen((n) => n === k, error),
      failFrom: (k, error) => failWhen((n) => n >= k, error),
      outrunUpdatesOf: (table) => {
        outrun = table;
      },
      mend: () => {
        errorOf = () => undefined;
        outrun = null;
        return hasFailed;
      },
    },
  };
}
