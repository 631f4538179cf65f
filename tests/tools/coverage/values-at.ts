/** The values of a field in what holds it; of the items of lists there are many, and none where what is around is not there. */
export function valuesAt(body: unknown, [name, ...rest]: readonly string[]): unknown[] {
  if (name === undefined) return [body];
  if (name === '*') return Array.isArray(body) ? body.flatMap((item) => valuesAt(item, rest)) : [];
  return isObject(body) ? valuesAt(Object.hasOwn(body, name) ? body[name] : undefined, rest) : [];
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
