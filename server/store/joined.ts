/** A column of a joined table under a unique name: `passenger.id as passengerRowId`. */
type Named<Table extends string, Column> = Column extends string
  ? `${Table}.${Column} as ${Table}Row${Capitalize<Column>}`
  : never;

/** Selects the columns of a joined table; rowOf reads them back. */
export function columnsOf<Table extends string, Column extends string>(table: Table, columns: readonly Column[]) {
  return columns.map((column) => `${table}.${column} as ${nameOf(table, column)}` as Named<Table, Column>);
}

/** The row of a joined table; every field is null when a left join matched nothing. */
export function rowOf<
  Table extends string,
  Column extends string,
  Row extends { readonly [Name in `${Table}Row${Capitalize<Column>}`]: unknown },
>(row: Row, table: Table, columns: readonly Column[]) {
  const names = namesOf(table, columns);
  const values: Record<string, unknown> = {};
  for (let i = 0; i < columns.length; i++) values[columns[i]!] = row[names[i] as keyof Row];
  return values as { [Key in Column]: Row[`${Table}Row${Capitalize<Key>}`] };
}

interface Names {
  readonly table: string;
  readonly names: readonly string[];
}

const known = new WeakMap<readonly string[], Names>();

/** The names of a list of columns. Each call of the API reads several such rows. */
function namesOf(table: string, columns: readonly string[]): readonly string[] {
  const last = known.get(columns);
  if (last?.table === table) return last.names;
  const names = columns.map((column) => nameOf(table, column));
  known.set(columns, { table, names });
  return names;
}

function nameOf(table: string, column: string): string {
  return `${table}Row${column.charAt(0).toUpperCase()}${column.slice(1)}`;
}
