/** The values of a field in a body: one for each item of a list, and none if the parent is missing. */
export function valuesAt(body: unknown, [name, ...rest]: readonly string[]): unknown[] {
  if (name === undefined) return [body];
  if (name === '*') return Array.isArray(body) ? body.flatMap((item) => valuesAt(item, rest)) : [];
  return isObject(body) ? valuesAt(Object.hasOwn(body, name) ? body[name] : undefined, rest) : [];
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
