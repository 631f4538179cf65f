import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';

/** Returns the text of generated/types.ts. It also exports each schema by its own name. */
export async function typesModule(document: OpenAPI3): Promise<string> {
  const options = { defaultNonNullable: false, rootTypes: true, rootTypesNoSchemaPrefix: true };
  const nodes = (await openapiTS(document, options)).map((node) => ts.visitEachChild(node, allowUndefined, undefined));
  const text = astToString(nodes);
  return text.replaceAll(' (enum property replaced by openapi-typescript)', '');
}

const PARTS = ['query', 'header', 'path', 'cookie', 'requestBody'];

/**
 * Lets an optional field be undefined, also for a compiler with exactOptionalPropertyTypes. Leaves the parts of an
 * operation alone, from which openapi-fetch reads what a call needs.
 */
function allowUndefined(node: ts.Node): ts.Node {
  const changed = ts.visitEachChild(node, allowUndefined, undefined);
  if (!ts.isPropertySignature(changed) || !changed.questionToken || !changed.type) return changed;
  const { modifiers, name, questionToken, type } = changed;
  const isPart = ts.isIdentifier(name) && PARTS.includes(name.text);
  if (isPart || type.kind === ts.SyntaxKind.NeverKeyword) return changed;
  const undefinedType = ts.factory.createKeywordTypeNode(ts.SyntaxKind.UndefinedKeyword);
  const union = ts.factory.createUnionTypeNode([...(ts.isUnionTypeNode(type) ? type.types : [type]), undefinedType]);
  return ts.factory.updatePropertySignature(changed, modifiers, name, questionToken, union);
}
