import { at, type Contract, type MediaType, type Schema } from '../../contract/bundle.ts';

/**
 * Gives each scalar the first value that the named examples show for it, for tools that make up a sample of a schema.
 * An example in the schema itself comes first.
 */
export function withScalarExamples(document: Contract): Contract {
  const shown = structuredClone(document);
  for (const { schema, examples } of mediaIn(shown)) {
    for (const { $ref, value } of Object.values(examples)) show(schema, $ref ? at<Shown>(shown, $ref).value : value);
  }
  return shown;

  function show(schema: Schema, value: unknown): void {
    const { $ref, allOf = [], anyOf = [], oneOf = [], items, properties = {}, discriminator } = schema;
    if (value === null || value === undefined) return;
    if ($ref !== undefined) show(at<Schema>(shown, $ref), value);
    for (const part of [...allOf, ...anyOf]) if (part.type !== 'null') show(part, value);
    const fields = value as Readonly<Record<string, unknown>>;
    const chosen = discriminator?.mapping[fields[discriminator.propertyName] as string];
    for (const choice of oneOf) if (choice.$ref === chosen) show(choice, value);
    for (const [name, property] of Object.entries(properties)) show(property, fields[name]);
    if (Array.isArray(value)) for (const item of value) show(items!, item);
    else if (typeof value !== 'object' && /string|number|integer/.test(`${schema.type}`)) schema.examples ??= [value];
  }
}

type Shown = NonNullable<MediaType['examples']>[string];

/** The bodies and parameters in a document. */
function mediaIn(node: unknown): Required<MediaType>[] {
  if (typeof node !== 'object' || node === null) return [];
  if ('schema' in node && 'examples' in node) return [node as Required<MediaType>];
  return Object.values(node).flatMap(mediaIn);
}
