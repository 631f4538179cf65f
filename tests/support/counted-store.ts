import type { KyselyPlugin, RootOperationNode } from 'kysely';
import type { Store } from '../../server/store/open.ts';
import { transaction } from '../../server/store/transaction.ts';

/** The same store, with the statements that it has run since `statements` was emptied. */
export function counted(store: Store): { readonly store: Store; readonly statements: string[] } {
  const statements: string[] = [];
  const asked = new WeakMap<object, RootOperationNode>();
  const plugin: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      asked.set(queryId, node);
      return node;
    },
    // a query that is part of another one is transformed too, but only a statement has a result
    transformResult: async ({ result, queryId }) => {
      statements.push(store.db.getExecutor().compileQuery(asked.get(queryId)!, queryId).sql);
      return result;
    },
  };
  const db = store.db.withPlugin(plugin);
  return { store: { ...store, db, transaction: (work) => transaction(db, work) }, statements };
}
