import { readFileSync } from 'node:fs';
import ts from 'typescript';

/** A regular expression of a source file. */
export interface Pattern {
  readonly file: string;
  readonly source: string;
  readonly flags: string;
}

/** The regular expressions of a file, and how many it builds at run time. */
export function patternsIn(file: string, code = readFileSync(file, 'utf8')): { patterns: Pattern[]; made: number } {
  const sourceFile = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
  const patterns: Pattern[] = [];
  let made = 0;
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) patterns.push({ file, ...partsOf(node.text) });
    const isMade = ts.isNewExpression(node) || ts.isCallExpression(node);
    if (isMade && /^(globalThis\.)?RegExp$/.test(node.expression.getText())) {
      const [source, flags] = node.arguments ?? [];
      const isConstant = source !== undefined && ts.isStringLiteralLike(source);
      if (!isConstant) made += 1;
      else
        patterns.push({ file, source: source.text, flags: flags && ts.isStringLiteralLike(flags) ? flags.text : '' });
    }
    ts.forEachChild(node, visit);
  };
  visit(sourceFile);
  return { patterns, made };
}

/** @param literal for example /a+/i */
function partsOf(literal: string): Pick<Pattern, 'source' | 'flags'> {
  const end = literal.lastIndexOf('/');
  return { source: literal.slice(1, end), flags: literal.slice(end + 1) };
}
