import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/** Every .ts and .js file in these folders, as a path from the project root. */
export function sourcesIn(...folders: string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.[jt]s$/.test(file) && !/^(node_modules|dist)\//.test(file))
      .map((file) => join(folder, file)),
  );
}

/** The imports of a file: paths from the project root, or package names. */
export function importsOf(file: string): string[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(file, 'utf8'));
  return importedFiles.map(({ fileName }) => (fileName.startsWith('.') ? join(dirname(file), fileName) : fileName));
}

/** The strings of a file, including each part of a template, but not those of its imports. */
export function stringsIn(file: string): string[] {
  const strings: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      strings.push(node.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest));
  return strings;
}
