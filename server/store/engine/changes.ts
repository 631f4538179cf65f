import {
  AliasNode,
  AndNode,
  BinaryOperationNode,
  ColumnNode,
  type ColumnUpdateNode,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type OperationNode,
  OperatorNode,
  ParensNode,
  type RawBuilder,
  ReferenceNode,
  type RootOperationNode,
  SelectQueryNode,
  sql,
  TableNode,
  ValueNode,
  type WhereNode,
} from 'kysely';
import type { Queries } from '../schema.ts';

/** The tables whose rows are cached in memory, with the columns that the cached bearers do not contain. */
const UNREAD = {
  access_grants: ['expires_at'],
  issued_tokens: [],
  applications: ['worlds_made', 'webhook_failing_since'],
  worlds: ['id_counter', 'clock_unsettled', 'clock_settled_to', 'rides_unsettled_after'],
  passengers: ['altered'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type WatchedTable = keyof typeof UNREAD;

export interface Change {
  /** Null: any of the watched tables. */
  readonly table: WatchedTable | null;
  /** Texts that these rows share, by column. Empty: any row. */
  readonly shared: ReadonlyMap<string, string>;
}

export type TellChanges = (changes: readonly Change[]) => void;

const ANYTHING: Change = { table: null, shared: new Map() };

/**
 * Wraps a dialect. After each commit, and before any caller learns of it, reports rows of watched tables that may have
 * changed. So the cache does not depend on every writer to invalidate it.
 */
export function tellingChanges(dialect: Dialect, tell: TellChanges): Dialect {
  return { ...dialect, createDriver: () => telling(dialect.createDriver(), tell) };
}

/** A connection whose statements are seen, except for those that begin and end transactions. */
interface Watched extends DatabaseConnection {
  readonly inner: DatabaseConnection;
  /** The changes of the open transaction so far; null outside of transactions. */
  changes: Change[] | null;
}

function telling(driver: Driver, tell: TellChanges): Driver {
  const watched = new WeakMap<DatabaseConnection, Watched>();
  const watch = (inner: DatabaseConnection): Watched => {
    const connection: Watched = {
      inner,
      changes: null,
      executeQuery: <R>(statement: CompiledQuery) => {
        const change = changeOf(statement.query);
        if (change === null) return inner.executeQuery<R>(statement);
        if (connection.changes === null) return inner.executeQuery<R>(statement).finally(() => tell([change]));
        connection.changes.push(change);
        return inner.executeQuery<R>(statement);
      },
      streamQuery: (statement, size) => inner.streamQuery(statement, size),
    };
    watched.set(inner, connection);
    return connection;
  };
  const end = (connection: Watched) => {
    const changes = connection.changes ?? [];
    connection.changes = null;
    return changes;
  };
  return {
    init: () => driver.init(),
    acquireConnection: async () => {
      const inner = await driver.acquireConnection();
      return watched.get(inner) ?? watch(inner);
    },
    beginTransaction: async (connection: Watched, settings) => {
      await driver.beginTransaction(connection.inner, settings);
      connection.changes = [];
    },
    // a commit that reports an error may still have happened
    commitTransaction: (connection: Watched) => {
      const changes = end(connection);
      return driver.commitTransaction(connection.inner).finally(() => {
        if (changes.length > 0) tell(changes);
      });
    },
    rollbackTransaction: (connection: Watched) => {
      end(connection);
      return driver.rollbackTransaction(connection.inner);
    },
    releaseConnection: ({ inner }: Watched) => driver.releaseConnection(inner),
    destroy: () => driver.destroy(),
  };
}

/** Runs a query in SQL that only reads. By itself, a statement in SQL counts as a change of any row. */
export async function rowsOf<Row>(db: Queries, query: RawBuilder<Row>): Promise<Row[]> {
  return db.selectFrom(sql<Row>`(${query})`.as('found')).selectAll().execute() as Promise<Row[]>;
}

/** The change that a statement may make to the watched tables; null: none. */
function changeOf(query: RootOperationNode): Change | null {
  const within = 'with' in query ? query.with?.expressions : undefined;
  if (within?.some(({ expression }) => !SelectQueryNode.is(expression))) return ANYTHING;
  switch (query.kind) {
    case 'SelectQueryNode':
      return null;
    case 'InsertQueryNode':
      // the cache contains no misses, so a plain insert invalidates nothing
      return query.onConflict?.updates === undefined ? null : changeTo(query.into, undefined, query.onConflict.updates);
    case 'UpdateQueryNode':
      return changeTo(query.table, query.where, query.updates);
    case 'DeleteQueryNode':
      return changeTo(query.from.froms[0], query.where);
    default:
      return ANYTHING;
  }
}

function changeTo(
  table: OperationNode | undefined,
  where?: WhereNode,
  updates?: readonly ColumnUpdateNode[],
): Change | null {
  const name = table === undefined ? null : nameOf(table);
  if (name === null) return ANYTHING;
  if (!isWatched(name)) return null;
  const unread: readonly string[] = UNREAD[name];
  if (updates?.every(({ column }) => unread.includes(nameOf(column) ?? ''))) return null;
  return { table: name, shared: new Map(where === undefined ? [] : equationsOf(where.where)) };
}

function isWatched(name: string): name is WatchedTable {
  return Object.hasOwn(UNREAD, name);
}

/** The columns that must equal a text, from the terms of a conjunction. */
function equationsOf(condition: OperationNode): [column: string, text: string][] {
  if (AndNode.is(condition)) return [...equationsOf(condition.left), ...equationsOf(condition.right)];
  if (ParensNode.is(condition)) return equationsOf(condition.node);
  if (!BinaryOperationNode.is(condition)) return [];
  const { leftOperand, operator, rightOperand } = condition;
  const column = nameOf(leftOperand);
  const isEquation = OperatorNode.is(operator) && operator.operator === '=';
  if (!isEquation || column === null || !ValueNode.is(rightOperand)) return [];
  const { value } = rightOperand;
  return typeof value === 'string' ? [[column, value]] : [];
}

/** The name of a table or column; null for any other node. */
function nameOf(node: OperationNode): string | null {
  if (TableNode.is(node)) return node.table.identifier.name;
  if (AliasNode.is(node)) return nameOf(node.node);
  if (ReferenceNode.is(node)) return nameOf(node.column);
  if (ColumnNode.is(node)) return node.column.name;
  return null;
}
