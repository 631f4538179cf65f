import type { Compilable, CompiledQuery, KyselyPlugin, QueryResult } from 'kysely';
import type { Queries } from '../schema.ts';
import { hasRowLocks } from './dialect.ts';

/** A placeholder for a parameter while a statement is built. */
class Slot {
  constructor(readonly name: string) {}
}

/** Names of the statements that PostgreSQL prepares, by SQL text. */
const names = new Map<string, string>();

/** The name under which PostgreSQL prepares this statement once per connection; undefined if it is not prepared. */
export function preparedName(text: string): string | undefined {
  return names.get(text);
}

/**
 * A statement that is built and compiled once per database. Building a statement takes longer than SQLite takes to run
 * it.
 * @param build builds the statement from its parameters, the same ones in every call. It runs with placeholders, so it
 *   must pass each parameter on unchanged and always build the same statement. It must name its columns: PostgreSQL
 *   rejects a prepared `*` after a newer server adds a column
 */
export function prepared<Given extends object, Row>(
  build: (db: Queries, given: Given) => Compilable<Row>,
): (db: Queries, given: Given) => Promise<QueryResult<Row>> {
  /** Keyed by the database's only plugin, which no other database shares. */
  const compiled = new WeakMap<KyselyPlugin, CompiledQuery<Row>>();
  return (db, given) => {
    const own = onlyPluginOf(db);
    if (own === undefined) return db.executeQuery(build(db, given));
    let statement = compiled.get(own);
    if (statement === undefined) {
      statement = build(db, slotsFor(given)).compile();
      if (hasRowLocks(db) && !names.has(statement.sql)) names.set(statement.sql, `prepared_${names.size + 1}`);
      compiled.set(own, statement);
    }
    return db.executeQuery({ ...statement, parameters: filled(statement.parameters, given) });
  };
}

/** The database's only plugin; undefined if it has more, because those need to see every statement. */
export function onlyPluginOf(db: Queries): KyselyPlugin | undefined {
  const { plugins } = db.getExecutor();
  return plugins.length === 1 ? plugins[0] : undefined;
}

function slotsFor<Given extends object>(given: Given): Given {
  return Object.fromEntries(Object.keys(given).map((name) => [name, new Slot(name)])) as Given;
}

function filled(parameters: readonly unknown[], given: object): unknown[] {
  return parameters.map((parameter) =>
    parameter instanceof Slot ? given[parameter.name as keyof typeof given] : parameter,
  );
}
