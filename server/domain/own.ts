/** The value of an own property. A client can name a field `constructor`, so a plain lookup is unsafe. */
export function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
