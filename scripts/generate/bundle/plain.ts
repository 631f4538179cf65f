import type { Contract, Operation, Schema } from '../../contract/bundle.ts';
import { withFlatMembers } from './flat-members.ts';
import { mapSchemas, mapValues } from './map-schemas.ts';

/** Rewrites the document without features of OpenAPI and JSON Schema that some tools don't support. */
export function inPlainWords(document: Contract): Contract {
  return withFlatMembers(mapSchemas(withOwnParameters(document), withoutConst));
}

/** Turns a constant into an enum with one value, because some type generators don't narrow by `const`. */
function withoutConst({ const: constant, ...schema }: Schema): Schema {
  return constant === undefined ? schema : { ...schema, enum: [constant as string] };
}

/** Copies a path's parameters into its operations, because some tools only read them there. */
function withOwnParameters(document: Contract): Contract {
  if (document.paths === undefined) return document;
  const paths = mapValues(document.paths, ({ parameters = [], ...operations }) =>
    mapValues(operations as Record<string, Operation>, (operation) => ({
      ...operation,
      parameters: [...parameters, ...(operation.parameters ?? [])],
    })),
  );
  return { ...document, paths };
}
