import type { Judged, JudgedPart } from './judge.ts';

const ENGINE_NAMES: Readonly<Record<string, string>> = { sqlite: 'SQLite', postgres: 'PostgreSQL' };

/** The tables of docs/conformance.md, one heading for each part. @param what the heading of the first column */
export function tables(parts: readonly JudgedPart[], what = 'Promise'): string {
  return parts.map(({ part, promises }) => `### ${part}\n\n${table(what, promises)}`).join('\n');
}

/** How many promises hold, in a sentence. @param what what the page calls these promises */
export function tally(parts: readonly JudgedPart[], what = 'Promises'): string {
  const all = parts.flatMap(({ promises }) => promises);
  return `${what} that hold: ${all.filter(({ problems }) => problems.length === 0).length} of ${all.length}.`;
}

/** One table with a row for each part, for parts whose promises are only a few words. */
export function summary(head: string, parts: readonly JudgedPart[]): string {
  const rows = parts.map(({ part, promises }) => {
    const says = promises.map((promised) => cell(promised.says)).join(', ');
    const results = [...new Set(promises.map(result))].join('<br>');
    return `| ${cell(part)} | ${says} | ${results} |\n`;
  });
  return `${head}\n| --- | --- | --- |\n${rows.join('')}`;
}

function table(what: string, promises: readonly Judged[]): string {
  const rows = promises.map((promised) => `| ${cell(promised.says)} | ${heldBy(promised)} | ${result(promised)} |\n`);
  return `| ${what} | Held by | Result |\n| --- | --- | --- |\n${rows.join('')}`;
}

/** The files of its tests. The titles are in tests/conformance/. */
function heldBy({ tests }: Judged): string {
  const files = new Set(tests.map((reference) => reference.split(' › ')[0]));
  return [...files].map((file) => `[${file}](../tests/${file}.test.ts)`).join(', ');
}

function result({ found, problems }: Judged): string {
  if (problems.length > 0) return problems.map(cell).join('<br>');
  const engines = [...new Set(found.flatMap(({ engine }) => engine ?? []))].sort().reverse();
  const where = engines.map((engine) => ENGINE_NAMES[engine]).join(' and ');
  return where === '' ? 'passed' : `passed on ${where}`;
}

/** Escapes a text for a table cell. Markdown shows a backslash in code, except before a `|` in a table. */
function cell(text: string): string {
  return text
    .replace(/(`[^`]+`)|[|<>*_`\\]/g, (found, code?: string) => code?.replaceAll('|', '\\|') ?? `\\${found}`)
    .replace(/\s+/g, ' ');
}
