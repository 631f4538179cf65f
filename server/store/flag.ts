/** A boolean as both engines store it. */
export type Flag = 0 | 1;

export function flag(value: boolean): Flag {
  return value ? 1 : 0;
}

export type Flagged<Row> = { -readonly [K in keyof Row]: Row[K] extends boolean | undefined ? Flag : Row[K] };

export function flagged<Row extends object>(row: Row): Flagged<Row> {
  const entries = Object.entries(row).map(([name, value]) => [name, typeof value === 'boolean' ? flag(value) : value]);
  return Object.fromEntries(entries);
}
