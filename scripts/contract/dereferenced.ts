import { at, type Contract, type Schema, typesOf } from './bundle.ts';

/**
 * Replaces each $ref by its target. The target keeps the `$ref`, which names the component. Turns a choice between a
 * schema and null into that schema with null as an additional type, because generators don't accept null in an enum.
 */
export function dereferenced(document: object): Contract {
  const components = new Map<string, object>();
  const componentAt = (pointer: string) => {
    const component = components.get(pointer) ?? follow(at<object>(document, pointer));
    components.set(pointer, component);
    return component;
  };
  const follow = <T>(node: T): T => {
    if (typeof node !== 'object' || node === null) return node;
    if (Array.isArray(node)) return node.map(follow) as T;
    const own = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, follow(value)])) as T;
    return withNull(('$ref' in node ? { ...componentAt(node.$ref as string), ...own } : own) as Schema) as T;
  };
  return follow(document) as Contract;
}

/** Turns `anyOf: [X, { type: 'null' }]` into X with null as an additional type. Returns other schemas unchanged. */
function withNull(node: Schema): Schema {
  const { anyOf, ...rest } = node;
  if (!Array.isArray(anyOf)) return node;
  const [choice, ...others] = anyOf.filter(({ type }) => type !== 'null');
  if (choice === undefined || others.length > 0 || anyOf.length < 2) return node;
  const { $ref: _, ...schema } = choice;
  const choices = schema.enum && { enum: [...schema.enum, null] };
  return { ...schema, ...rest, type: [...typesOf(schema), 'null'], ...choices };
}
