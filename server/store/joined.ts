/** A column of a joined table under a unique name: `passenger.id as passengerRowId`. */
type Named<Table extends string, Column> = Column extends string
  ? `${Table}.${Column} as ${Table}Row${Capitalize<Column>}`
  : never;

/** A joined table in a query: the columns to select, and the row to read from the result. */
export function joined<Table extends string, Column extends string>(table: Table, columns: readonly Column[]) {
  const names = columns.map((column) => `${table}Row${column.charAt(0).toUpperCase()}${column.slice(1)}`);
  return {
    columns: columns.map((column, i) => `${table}.${column} as ${names[i]}` as Named<Table, Column>),
    /** Every field is null when a left join matched nothing. */
    rowOf: <Row extends { readonly [Name in `${Table}Row${Capitalize<Column>}`]: unknown }>(row: Row) => {
      const values: Record<string, unknown> = {};
      for (let i = 0; i < columns.length; i++) values[columns[i]!] = row[names[i] as keyof Row];
      return values as { [Key in Column]: Row[`${Table}Row${Capitalize<Key>}`] };
    },
  };
}
