import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';

/** The text of generated/types.ts. It also exports each schema by its own name. */
export async function typesModule(document: OpenAPI3): Promise<string> {
  // enumValues stays off: it declares the same constant twice for a discriminated oneOf of allOf schemas
  const options = { defaultNonNullable: false, rootTypes: true, rootTypesNoSchemaPrefix: true };
  return astToString(await openapiTS(document, options));
}
