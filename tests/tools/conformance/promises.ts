import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { OPERATIONS } from '../../../generated/server.ts';

/** A promise and the tests that prove it: `file › title › title`. A star matches anything. */
export interface Promised {
  readonly says: string;
  readonly tests: readonly string[];
}

export interface Part {
  readonly part: string;
  readonly promises: readonly Promised[];
}

/** The format of the files in tests/conformance: for each part its sentences, with the tests. */
export type Listed = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

export function readListed(file: string): Listed {
  return parse(readFileSync(file, 'utf8'));
}

export function promisesOf(listed: Listed): Part[] {
  return Object.entries(listed).map(([part, rows]) => ({
    part,
    promises: Object.entries(rows).map(([says, tests]) => ({ says, tests })),
  }));
}

/**
 * A promise for each list item of docs/reference/decisions.md, with a part for each heading. Throws if an item has no
 * entry, or an entry no item; the error names them.
 */
export function decisionPromises(description: string, held: Listed): Part[] {
  const sections = description.split(/^## /m).slice(1);
  const parts = sections.map((section) => {
    const [part = ''] = section.split('\n');
    const items = [...section.matchAll(/^- \*\*(.+?)\.\*\* /gm)];
    return { part, promises: items.map(([, says = '']) => ({ says, tests: held[part]?.[says] ?? [] })) };
  });
  const namesIn = (all: readonly Part[]) =>
    all.flatMap(({ part, promises }) => promises.map(({ says }) => `${part}: ${says}`));
  const [wanted, listed] = [namesIn(parts), namesIn(promisesOf(held))];
  const missing = wanted.filter((row) => !listed.includes(row)).map((row) => `decision without tests: "${row}"`);
  const left = listed.filter((row) => !wanted.includes(row)).map((row) => `unknown decision: "${row}"`);
  if (missing.length + left.length > 0) throw new Error([...missing, ...left].join('\n'));
  return parts;
}

/** A promise for each error code of each operation. contract/refusals tests them all. */
export function refusalPromises(): Part[] {
  return Object.entries(OPERATIONS).map(([operation, { failures }]) => ({
    part: operation,
    promises: Object.entries(failures).map(([code, status]) => ({
      says: `${status} \`${code}\``,
      tests: [`contract/refusals › '${operation}' refuses with '${code}'`],
    })),
  }));
}
