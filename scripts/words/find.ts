import { PHRASES } from './phrases.ts';

export interface Hit {
  /** Counts from 1. */
  readonly line: number;
  readonly phrase: string;
  readonly instead: string;
}

/** Matches the gap between two words: spaces, or a line break and the comment mark of the next line. */
const GAP = String.raw`(?:[ \t]+|[ \t]*\r?\n[ \t]*(?:\*|//|#|>)?[ \t]*)`;

const EXPRESSIONS = PHRASES.map(([phrase, instead]) => ({
  expression: new RegExp(String.raw`(?<![\w-])(?:${phrase.replaceAll(' ', GAP)})(?![\w-])`, 'gi'),
  instead,
}));

/** Finds the phrases in a text, sorted by line. */
export function hitsIn(text: string): Hit[] {
  return EXPRESSIONS.flatMap(({ expression, instead }) =>
    [...text.matchAll(expression)].map(({ 0: phrase, index }) => ({
      line: text.slice(0, index).split('\n').length,
      phrase: phrase.replace(/\s+/g, ' '),
      instead,
    })),
  ).sort((one, other) => one.line - other.line);
}
