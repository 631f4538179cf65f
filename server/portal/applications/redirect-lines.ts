import { MOST_REDIRECT_URIS, redirectUrisFrom } from '../../applications/rules.ts';
import { problemAt, problemOf } from './problems.ts';

export function linesOf(text: string): readonly string[] {
  return text.split(/\r\n|\r|\n/);
}

/** Throws Refusal `bad_parameter` that names each invalid line, each on a line of its own. */
export function checkRedirectLines(text: string): void {
  const firstLineOf = new Map<string, number>();
  for (const [index, line] of linesOf(text).entries()) {
    const uri = line.trim();
    if (uri !== '' && !firstLineOf.has(uri)) firstLineOf.set(uri, index + 1);
  }
  // report too many URIs as one problem, not one per line
  const shown = firstLineOf.size <= MOST_REDIRECT_URIS ? [...firstLineOf] : [];
  const wrong = shown.flatMap(([uri, line]) => {
    const problem = problemOf(() => redirectUrisFrom([uri]));
    return problem === null ? [] : [`Line ${line}: ${problem}`];
  });
  if (wrong.length > 0) throw problemAt('redirect_uris', wrong.join('\n'));
  redirectUrisFrom([...firstLineOf.keys()]);
}
