import { readFileSync, writeFileSync } from 'node:fs';

const PERFORMANCE = 'docs/performance.md';
export const SCALING = 'docs/scaling.md';
export const PICTURES = 'docs/pictures';

/** Writes the results of a bench into a page, between its two comments. */
export function writeIntoPage(name: string, markdown: string, page = PERFORMANCE): void {
  writeFileSync(page, withPart(readFileSync(page, 'utf8'), name, markdown));
}

/**
 * Replaces the text between `<!-- bench: NAME -->` and `<!-- end -->`. Throws an Error if the page lacks one of them.
 */
export function withPart(page: string, name: string, markdown: string): string {
  const [begin, end] = [`<!-- bench: ${name} -->`, '<!-- end -->'];
  const from = page.indexOf(begin);
  const to = page.indexOf(end, from);
  if (from === -1 || to === -1) throw new Error(`The page lacks the comments for ${name}: ${begin} … ${end}`);
  return `${page.slice(0, from + begin.length)}\n\n${markdown}\n\n${page.slice(to)}`;
}
