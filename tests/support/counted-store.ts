import { createQueryId, type Kysely, type RootOperationNode } from 'kysely';
import type { Store } from '../../server/store/engine/open.ts';
import type { Database } from '../../server/store/schema.ts';
import { transaction } from '../../server/store/transaction.ts';

/** The same database. It calls `ran` with each statement after running it. */
export function watchedDatabase(db: Kysely<Database>, ran: (statement: RootOperationNode) => void): Kysely<Database> {
  const asked = new WeakMap<object, RootOperationNode>();
  return db.withPlugin({
    transformQuery: ({ node, queryId }) => {
      asked.set(queryId, node);
      return node;
    },
    // kysely also transforms subqueries, but only a statement has a result
    transformResult: async ({ result, queryId }) => {
      ran(asked.get(queryId)!);
      return result;
    },
  });
}

/** The same store, which records its statements in `statements`. A test may empty that list. */
export function counted(store: Store): { readonly store: Store; readonly statements: string[] } {
  const statements: string[] = [];
  const compiled = (statement: RootOperationNode) => store.db.getExecutor().compileQuery(statement, createQueryId());
  const db = watchedDatabase(store.db, (statement) => statements.push(compiled(statement).sql));
  return { store: { ...store, db, transaction: (work) => transaction(db, work) }, statements };
}
