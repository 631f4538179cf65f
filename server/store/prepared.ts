import type { Compilable, CompiledQuery, KyselyPlugin, QueryResult } from 'kysely';
import { hasRowLocks } from './dialect.ts';
import type { Queries } from './schema.ts';

const NAME = Symbol('name');

/** Stands for a parameter while a statement is built. */
interface Slot {
  readonly [NAME]: string;
}

/** Any property of it is a slot with the name of the property. */
const SLOTS = new Proxy({}, { get: (_, name): Slot => ({ [NAME]: String(name) }) });

/** The names of the statements that PostgreSQL prepares, by their texts. */
const names = new Map<string, string>();

/** The name of a statement that PostgreSQL prepares once for each connection; undefined: it is not one of them. */
export function preparedName(text: string): string | undefined {
  return names.get(text);
}

/**
 * A statement that is built and compiled once for each database. Building one takes longer than SQLite needs to run it.
 * @param build makes the statement from its parameters. It runs with stand-ins for them, so it must pass each on as it
 * is, and the statement must be the same for all of them. It names its columns: PostgreSQL refuses a prepared `*` once a
 * newer server has added a column
 */
export function prepared<Given extends object, Row>(
  build: (db: Queries, given: Given) => Compilable<Row>,
): (db: Queries, given: Given) => Promise<QueryResult<Row>> {
  /** By the one plugin that each database has of its own. */
  const compiled = new WeakMap<KyselyPlugin, CompiledQuery<Row>>();
  return (db, given) => {
    const own = onlyPluginOf(db);
    if (own === undefined) return db.executeQuery(build(db, given));
    let statement = compiled.get(own);
    if (statement === undefined) {
      statement = build(db, SLOTS as Given).compile();
      if (hasRowLocks(db) && !names.has(statement.sql)) names.set(statement.sql, `prepared_${names.size + 1}`);
      compiled.set(own, statement);
    }
    return db.executeQuery({ ...statement, parameters: filled(statement.parameters, given) });
  };
}

/** The plugin that a database has of its own; undefined if it was given others, which want to see each statement. */
export function onlyPluginOf(db: Queries): KyselyPlugin | undefined {
  const { plugins } = db.getExecutor();
  return plugins.length === 1 ? plugins[0] : undefined;
}

/** The parameters of a row, in the order of its columns. */
export function rowOfSlots<Row extends object>(given: Row, columns: readonly (keyof Row & string)[]): Row {
  return Object.fromEntries(columns.map((column) => [column, given[column]])) as Row;
}

function filled(parameters: readonly unknown[], given: object): unknown[] {
  return parameters.map((parameter) => (isSlot(parameter) ? given[parameter[NAME] as keyof typeof given] : parameter));
}

function isSlot(parameter: unknown): parameter is Slot {
  return typeof parameter === 'object' && parameter !== null && NAME in parameter;
}
