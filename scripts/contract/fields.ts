import type { LocatedOperation, Schema } from './bundle.ts';

/** A parameter, a body, a field of a body, or the items of a list. */
export interface Field {
  readonly location: 'query' | 'path' | 'header' | 'body';
  /** The path to the field, such as ['origin', 'lat']. `*` stands for list items. Empty for a body. */
  readonly names: readonly string[];
  readonly schema: Schema;
  readonly isRequired: boolean;
}

/** All fields that a request of an operation can contain. */
export function fieldsOf({ parameters, body }: LocatedOperation): Field[] {
  const simple = parameters.map(
    ({ in: place, name, schema, required = false }): Field => ({
      location: place,
      names: [name],
      schema,
      isRequired: required,
    }),
  );
  if (body === null) return simple;
  const whole: Field = { location: 'body', names: [], schema: body.schema, isRequired: body.required };
  return [...simple, whole, ...fieldsWithin(whole)];
}

function fieldsWithin({ schema: { properties = {}, required = [], items }, names }: Field): Field[] {
  const inner = Object.entries({ ...properties, ...(items && { '*': items }) });
  return inner.flatMap(([name, schema]) => {
    const isRequired = required.includes(name);
    const field: Field = { location: 'body', names: [...names, name], schema, isRequired };
    return [field, ...fieldsWithin(field)];
  });
}
