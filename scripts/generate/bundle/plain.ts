import type { Contract, Operation, Schema } from '../../contract/bundle.ts';
import { withFlatMembers } from './flat-members.ts';
import { mapSchemas, mapValues } from './map-schemas.ts';

/** Says the same in fewer words of OpenAPI and JSON Schema, because some tools know only those. */
export function inPlainWords(document: Contract): Contract {
  return withFlatMembers(mapSchemas(withOwnParameters(document), withoutConst));
}

/** A constant as a list of one value: some generators of types do not narrow by `const`. */
function withoutConst({ const: constant, ...schema }: Schema): Schema {
  return constant === undefined ? schema : { ...schema, enum: [constant as string] };
}

/** The parameters of a path in each of its operations: some tools read them only there. */
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
