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
  ReferenceNode,
  TableNode,
  ValueNode,
  type WhereNode,
} from 'kysely';

/** A table whose rows are cached in memory. */
interface Watched {
  /** The columns that identify a row. They never change. */
  readonly keys: readonly string[];
  /** The columns that the cached bearers do not contain. */
  readonly unread: readonly string[];
}

const WATCHED = {
  access_tokens: { keys: ['token_hash', 'passenger_id', 'code_hash', 'refresh_token_hash'], unread: [] },
  applications: { keys: ['id'], unread: ['worlds_made', 'webhook_failing_since'] },
  worlds: { keys: ['id'], unread: ['id_counter', 'clock_unsettled', 'rides_unsettled_after'] },
  passengers: { keys: ['world_id', 'id'], unread: ['altered'] },
} as const satisfies Readonly<Record<string, Watched>>;

export type WatchedTable = keyof typeof WATCHED;

/** Rows that may have changed. */
export interface Change {
  /** Null: any of the watched tables. */
  readonly table: WatchedTable | null;
  /** Key values that these rows share. Empty: any row. */
  readonly keys: ReadonlyMap<string, string>;
}

export type TellChanges = (changes: readonly Change[]) => void;

const ANYTHING: Change = { table: null, keys: new Map() };

/**
 * Wraps a dialect. After each commit, and before any caller learns of it, reports rows of watched tables that may have
 * changed. So the cache does not depend on every writer to invalidate it.
 */
export function tellingChanges(dialect: Dialect, tell: TellChanges): Dialect {
  return { ...dialect, createDriver: () => telling(dialect.createDriver(), tell) };
}

function telling(driver: Driver, tell: TellChanges): Driver {
  const [acquire, begin, commit, rollBack] = [
    driver.acquireConnection.bind(driver),
    driver.beginTransaction.bind(driver),
    driver.commitTransaction.bind(driver),
    driver.rollbackTransaction.bind(driver),
  ];
  const watched = new WeakSet<DatabaseConnection>();
  /** The changes of open transactions so far. */
  const pending = new WeakMap<DatabaseConnection, Change[]>();

  const watch = (connection: DatabaseConnection) => {
    watched.add(connection);
    const run = connection.executeQuery.bind(connection);
    connection.executeQuery = <R>(statement: CompiledQuery) => {
      const change = changeOf(statement);
      if (change === null) return run<R>(statement);
      const ofTransaction = pending.get(connection);
      if (ofTransaction === undefined) return run<R>(statement).finally(() => tell([change]));
      ofTransaction.push(change);
      return run<R>(statement);
    };
  };
  const end = (connection: DatabaseConnection): readonly Change[] => {
    const changes = pending.get(connection) ?? [];
    pending.delete(connection);
    return changes;
  };

  driver.acquireConnection = async () => {
    const connection = await acquire();
    if (!watched.has(connection)) watch(connection);
    return connection;
  };
  driver.beginTransaction = async (connection, settings) => {
    await begin(connection, settings);
    pending.set(connection, []);
  };
  // a commit that reports an error may still have happened
  driver.commitTransaction = (connection) => {
    const changes = end(connection);
    return commit(connection).finally(() => {
      if (changes.length > 0) tell(changes);
    });
  };
  driver.rollbackTransaction = (connection) => {
    end(connection);
    return rollBack(connection);
  };
  return driver;
}

/** The changes that a statement may make to the watched tables; null: none. */
export function changeOf({ query, sql }: Pick<CompiledQuery, 'query' | 'sql'>): Change | null {
  // statements with a WITH clause are checked by their text, like raw SQL
  if ('with' in query && query.with !== undefined) return changeIn(sql);
  switch (query.kind) {
    case 'SelectQueryNode':
      return null;
    case 'InsertQueryNode':
      // the cache contains no misses, so a plain insert invalidates nothing
      return query.onConflict?.updates === undefined ? null : changeTo(query.into);
    case 'UpdateQueryNode':
      return changeTo(query.table, query.where, query.updates);
    case 'DeleteQueryNode':
      return changeTo(query.from.froms[0], query.where);
    default:
      return changeIn(sql);
  }
}

function changeIn(text: string): Change | null {
  const isWrite = /\b(insert|update|delete|merge|truncate|alter|drop)\b/i.test(text);
  return isWrite && /\b(access_tokens|applications|worlds|passengers)\b/i.test(text) ? ANYTHING : null;
}

function changeTo(
  table: OperationNode | undefined,
  where?: WhereNode,
  updates?: readonly ColumnUpdateNode[],
): Change | null {
  const name = table === undefined ? null : nameOf(table);
  if (name === null) return ANYTHING;
  if (!isWatched(name)) return null;
  const { keys, unread }: Watched = WATCHED[name];
  if (updates?.every(({ column }) => unread.includes(nameOf(column) ?? ''))) return null;
  const equations = where === undefined ? [] : equationsOf(where.where);
  return { table: name, keys: new Map(equations.filter(([column]) => keys.includes(column))) };
}

function isWatched(name: string): name is WatchedTable {
  return Object.hasOwn(WATCHED, name);
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
