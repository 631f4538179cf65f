type Path = ReadonlyArray<string | number>;

export interface Breakage {
  /** Path of the field: 'driver.vehicle.make', 'line_items.0'. */
  readonly path: string;
  readonly broken: unknown;
}

/** Returns a copy without the field, for each field at any depth. */
export function withoutEachField(answer: object): Breakage[] {
  return pathsIn(answer)
    .filter((path) => typeof path.at(-1) === 'string')
    .map((path) => ({ path: path.join('.'), broken: changed(answer, path, undefined) }));
}

/** Returns a copy with a value of the wrong type, for each value at any depth. */
export function withEachValueMistyped(answer: object): Breakage[] {
  return pathsIn(answer).map((path) => ({
    path: path.join('.'),
    broken: changed(answer, path, ofAnotherType(valueAt(answer, path))),
  }));
}

function pathsIn(value: unknown, way: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [];
  const keys: Path = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return keys.flatMap((key) => [[...way, key], ...pathsIn(valueAt(value, [key]), [...way, key])]);
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<string | number, unknown>)[key], value);
}

/** @param replacement undefined removes the field, because JSON leaves it out */
function changed(answer: object, path: Path, replacement: unknown): unknown {
  const copy = structuredClone(answer);
  const around = valueAt(copy, path.slice(0, -1)) as Record<string | number, unknown>;
  around[path.at(-1)!] = replacement;
  return copy;
}

function ofAnotherType(value: unknown): unknown {
  if (typeof value === 'string') return 7;
  return value === null ? {} : 'a text';
}
