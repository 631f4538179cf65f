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

/** One character, or a class of characters. */
const CHARACTER = /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|[^1-9k])|\[(?:\\.|[^\]\\])*\]/g;
const START_OF_GROUP = /\((\?(:|<?[=!]|<\w+>))?/g;

/**
 * An upper bound on the ways in which a pattern can match at one place of a text: each bounded quantifier and each group
 * of alternatives multiplies them. Infinity for any other pattern: one that repeats something without a bound, repeats a
 * group more than once, or refers to a group.
 */
export function waysOf(source: string): number {
  const bare = source.replace(CHARACTER, 'x').replace(START_OF_GROUP, '(');
  if (/[*+\\]|,\}|\)\{/.test(bare)) return Number.POSITIVE_INFINITY;
  let ways = 2 ** (bare.match(/\?/g)?.length ?? 0);
  for (const [, least, most = least] of bare.matchAll(/\{(\d+)(?:,(\d+))?\}/g))
    ways *= 1 + Number(most) - Number(least);
  const count = (_: string, inner: string) => {
    ways *= inner.split('|').length;
    return 'x';
  };
  let [before, rest] = ['', `(${bare})`];
  while (rest !== before) [before, rest] = [rest, rest.replace(/\(([^()]*)\)/g, count)];
  return ways;
}
