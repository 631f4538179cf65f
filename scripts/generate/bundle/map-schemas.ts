import type { Schema } from '../../contract/bundle.ts';

type Change = (schema: Schema) => Schema;

const SCHEMA_KEYS = ['items', 'not', 'additionalProperties'];
const SCHEMA_LISTS = ['allOf', 'oneOf', 'anyOf'];

/** Rebuilds a document with changed schemas, the innermost first. */
export function mapSchemas<T extends object>(document: T, change: Change): T {
  return mapValues(document as Record<string, object>, (part, key) =>
    key === 'components' ? changeComponents(part as Record<string, object>, change) : changeBelow(part, change),
  ) as T;
}

function changeComponents(components: Record<string, object>, change: Change) {
  return mapValues(components, (part, key) =>
    key === 'schemas'
      ? mapValues(part as Record<string, Schema>, (schema) => changeInside(schema, change))
      : changeBelow(part, change),
  );
}

/** Finds the schemas of parameters, headers and media types. Skips examples, because they are data. */
function changeBelow<T>(node: T, change: Change): T {
  if (Array.isArray(node)) return node.map((item) => changeBelow(item, change)) as T;
  if (typeof node !== 'object' || node === null) return node;
  return mapValues(node as Record<string, unknown>, (value, key) => {
    if (key === 'schema') return changeInside(value as Schema, change);
    return key === 'example' || key === 'examples' ? value : changeBelow(value, change);
  }) as T;
}

function changeInside(schema: Schema, change: Change): Schema {
  const inner = <P>(part: P): P => (typeof part === 'object' ? (changeInside(part as Schema, change) as P) : part);
  return change(
    mapValues(schema as Record<string, unknown>, (value, key) => {
      if (SCHEMA_KEYS.includes(key)) return inner(value);
      if (SCHEMA_LISTS.includes(key)) return (value as Schema[]).map(inner);
      return key === 'properties' ? mapValues(value as Record<string, Schema>, inner) : value;
    }),
  );
}

export function mapValues<A, B>(record: Record<string, A>, change: (value: A, key: string) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]));
}
