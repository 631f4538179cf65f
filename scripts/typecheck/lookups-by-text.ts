import { relative } from 'node:path';
import ts from 'typescript';

/** Look-ups whose names are never a client's, or are checked before. */
const ALLOWED: Readonly<Record<string, string>> = {
  'server/domain/own.ts: record[name]': 'looks up own properties only',
  'server/http/form.ts: values[name]': 'writes only known parameters',
  'server/http/query.ts: values[name]': 'writes only known parameters',
  'server/store/bearer-cache.ts: own[column]': 'names of our columns',
  'server/store/camel-case.ts: renamed[this.camelCase(name)]': 'names of our columns',
  'server/store/camel-case.ts: row[name]': 'names of our columns',
};

/**
 * The look-ups of any text in a plain object. Objects inherit names such as `constructor` and `__proto__`, so a client
 * that sends one gets something else than nothing. The types of the compiler tell a text from a fixed set of names.
 */
export function lookupsByText(program: ts.Program, folder: string): string[] {
  const checker = program.getTypeChecker();
  const isByText = ({ argumentExpression, expression }: ts.ElementAccessExpression) => {
    const isText =
      (checker.getTypeAtLocation(argumentExpression).flags & (ts.TypeFlags.String | ts.TypeFlags.Any)) !== 0;
    return isText && !checker.isArrayLikeType(checker.getTypeAtLocation(expression));
  };
  return program.getSourceFiles().flatMap((file) => {
    const name = relative('.', file.fileName);
    if (!name.startsWith(`${folder}/`)) return [];
    const found: string[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isElementAccessExpression(node) && isByText(node) && !(`${name}: ${node.getText()}` in ALLOWED)) {
        const { line, character } = file.getLineAndCharacterOfPosition(node.getStart());
        found.push(`${name}(${line + 1},${character + 1}): ${node.getText()} looks up a text: use own() or a Map.`);
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
    return found;
  });
}
