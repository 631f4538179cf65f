/** Column types in the migrations. Both engines use these names. */
export type ColumnType = 'text' | 'integer' | 'bigint';

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
}

export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  /** The primary key columns, in order. */
  readonly key: readonly string[];
}

/** The values of a row, in column order. */
export type Row = readonly Value[];
export type Value = string | number | null;

/** The primary key values of a row. */
export function keyOf(table: Table, row: Row): Row {
  return table.key.map((name) => row[table.columns.findIndex((column) => column.name === name)]!);
}

/** The differences between two lists of tables, one sentence each. */
export function differences(source: readonly Table[], target: readonly Table[]): string[] {
  const [here, there] = [columnsOf(source), columnsOf(target)];
  const only = (some: ReadonlySet<string>, others: ReadonlySet<string>, where: string) =>
    [...some].filter((column) => !others.has(column)).map((column) => `only the ${where} has ${column}`);
  return [...only(here, there, 'source'), ...only(there, here, 'target')];
}

function columnsOf(tables: readonly Table[]): ReadonlySet<string> {
  return new Set(tables.flatMap(({ name, columns }) => columns.map((one) => `${name}.${one.name} (${one.type})`)));
}
