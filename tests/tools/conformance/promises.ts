import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { OPERATIONS } from '../../../generated/server.ts';

/** A sentence that must hold, and what shows that it does. */
export interface Promised {
  readonly says: string;
  /** The tests that hold it: `file › title › title`, in which a star stands for anything. */
  readonly tests?: readonly string[];
  /** What has to be built before it can hold; instead of tests. */
  readonly waits_for?: string;
}

export interface Part {
  readonly part: string;
  readonly promises: readonly Promised[];
}

/** What the contract's Decisions tag says, one part for each of its headings: what was left open, row by row. */
export function decisionsIn(description: string): Array<{ part: string; rows: string[] }> {
  return description
    .split(/^### /m)
    .slice(1)
    .map((section) => {
      const [heading = '', ...lines] = section.split('\n');
      // the first two lines of a table are its head
      const table = lines.filter((line) => line.startsWith('|')).slice(2);
      return { part: heading.trim(), rows: table.map((line) => line.split(/(?<!\\)\|/)[1]!.trim()) };
    });
}

/** As the files in tests/conformance list promises: for each part its sentences, and the tests that hold each or what it waits for. */
export type Listed = Readonly<Record<string, Readonly<Record<string, Held>>>>;
type Held = readonly string[] | Pick<Promised, 'waits_for'>;

export function readListed(file: string): Listed {
  return parse(readFileSync(file, 'utf8'));
}

/** The promises of the specification. */
export function promisesOf(listed: Listed): Part[] {
  return Object.entries(listed).map(([part, rows]) => ({
    part,
    promises: Object.entries(rows).map(([says, held]) => promised(says, held)),
  }));
}

function promised(says: string, held: Held): Promised {
  return 'waits_for' in held ? { says, waits_for: held.waits_for } : { says, tests: held as readonly string[] };
}

/** A promise for each row of the Decisions. Throws an Error that names each row of one side that the other does not have. */
export function decisionPromises(description: string, held: Listed): Part[] {
  const parts = decisionsIn(description);
  const wanted = parts.flatMap(({ part, rows }) => rows.map((row) => `${part}: ${row}`));
  const listed = Object.entries(held).flatMap(([part, rows]) => Object.keys(rows).map((row) => `${part}: ${row}`));
  const missing = wanted.filter((row) => !listed.includes(row)).map((row) => `no tests for the decision "${row}"`);
  const left = listed.filter((row) => !wanted.includes(row)).map((row) => `no such decision: "${row}"`);
  if (missing.length + left.length > 0) throw new Error([...missing, ...left].join('\n'));
  return parts.map(({ part, rows }) => ({
    part,
    promises: rows.map((says) => promised(says, held[part]![says]!)),
  }));
}

/** A promise for each error code of each operation, held by the walk over them all. */
export function refusalPromises(): Part[] {
  return Object.entries(OPERATIONS).map(([operation, { failures }]) => ({
    part: operation,
    promises: Object.entries(failures).map(([code, status]) => ({
      says: `${status} ${code}`,
      tests: [`contract/refusals › '${operation}' refuses with '${code}'`],
    })),
  }));
}
