import { isDeepStrictEqual } from 'node:util';
import { at, type Contract, type Schema } from '../../contract/bundle.ts';
import { mapSchemas, mapValues } from './map-schemas.ts';

/**
 * Merges the `allOf` of each member of a discriminated `oneOf`, because some tools don't find the discriminator in it.
 */
export function withFlatMembers(document: Contract): Contract {
  const members = membersOf(document);
  const { components } = document;
  if (!components?.schemas) return document;
  const schemas = mapValues(components.schemas, (schema, name) =>
    members.has(`#/components/schemas/${name}`) ? flat(document, schema, name) : schema,
  );
  return { ...document, components: { ...components, schemas } };
}

function membersOf(document: Contract): Set<string> {
  const members = new Set<string>();
  mapSchemas(document, (schema) => {
    if (schema.discriminator) for (const { $ref } of schema.oneOf ?? []) members.add($ref!);
    return schema;
  });
  return members;
}

/** Merges the `allOf` of a schema into the schema. Throws an Error if two parts contradict each other. */
function flat(document: Contract, { allOf, ...own }: Schema, name: string): Schema {
  if (allOf === undefined) return own;
  const parts = allOf.map(({ $ref, ...part }) => flat(document, $ref ? at<Schema>(document, $ref) : part, name));
  return [...parts, own].reduce((merged, part) => both(merged, part, name), {});
}

/** Merges two schemas into one that requires both. The description comes from the second one. */
function both(first: Schema, second: Schema, name: string): Schema {
  const properties = { ...first.properties };
  for (const [key, schema] of Object.entries(second.properties ?? {})) {
    properties[key] = key in properties ? both(properties[key]!, schema, `${name}.${key}`) : schema;
  }
  for (const key of Object.keys(first) as (keyof Schema)[]) {
    const isMerged = key === 'description' || key === 'required' || key === 'properties' || !(key in second);
    if (isMerged || isDeepStrictEqual(first[key], second[key])) continue;
    throw new Error(`${name} has two different values for ${key}`);
  }
  const required = [...new Set([...(first.required ?? []), ...(second.required ?? [])])];
  return {
    ...first,
    ...second,
    ...(required.length > 0 && { required }),
    ...(Object.keys(properties).length > 0 && { properties }),
  };
}
