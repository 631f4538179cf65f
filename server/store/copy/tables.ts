/** The types of columns in the migrations. Both engines name them so. */
export type ColumnType = 'text' | 'integer' | 'bigint';

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
}

export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  /** The columns of the primary key, in its order. */
  readonly key: readonly string[];
}

/** A row has a value for each column of its table, in their order. */
export type Row = readonly Value[];
export type Value = string | number | null;

/** The values of the primary key of a row. */
export function keyOf(table: Table, row: Row): Row {
  return table.key.map((name) => row[table.columns.findIndex((column) => column.name === name)]!);
}

/** How two lists of tables differ, a sentence for each difference; none if they are the same. */
export function differences(source: readonly Table[], target: readonly Table[]): string[] {
  const [here, there] = [columnsOf(source), columnsOf(target)];
  const only = (some: ReadonlySet<string>, others: ReadonlySet<string>, where: string) =>
    [...some].filter((column) => !others.has(column)).map((column) => `only the ${where} has ${column}`);
  return [...only(here, there, 'source'), ...only(there, here, 'target')];
}

function columnsOf(tables: readonly Table[]): ReadonlySet<string> {
  return new Set(tables.flatMap(({ name, columns }) => columns.map((one) => `${name}.${one.name} (${one.type})`)));
}
