import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';

/** Returns the text of generated/types.ts. It also exports each schema by its own name. */
export async function typesModule(document: OpenAPI3): Promise<string> {
  const options = { defaultNonNullable: false, rootTypes: true, rootTypesNoSchemaPrefix: true };
  const text = astToString(await openapiTS(document, options));
  return text.replaceAll(' (enum property replaced by openapi-typescript)', '');
}
