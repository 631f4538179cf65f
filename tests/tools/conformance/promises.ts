import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { OPERATIONS } from '../../../generated/server.ts';

/** A promise and the tests for it. */
export interface Promised {
  readonly says: string;
  /** The tests that prove it: `file › title › title`. A star matches anything. */
  readonly tests?: readonly string[];
  /** The feature that it waits for. Replaces `tests`. */
  readonly waits_for?: string;
}

export interface Part {
  readonly part: string;
  readonly promises: readonly Promised[];
}

/** The list items of the contract's Decisions tag by their bold names, one part for each heading. */
export function decisionsIn(description: string): Array<{ part: string; rows: string[] }> {
  return description
    .split(/^### /m)
    .slice(1)
    .map((section) => ({
      part: section.slice(0, section.indexOf('\n')),
      rows: [...section.matchAll(/^- \*\*(.+?)\.\*\* /gm)].map(([, row]) => row!),
    }));
}

/** The format of the files in tests/conformance: for each part its sentences, with the tests or what they wait for. */
export type Listed = Readonly<Record<string, Readonly<Record<string, Held>>>>;
type Held = readonly string[] | Pick<Promised, 'waits_for'>;

export function readListed(file: string): Listed {
  return parse(readFileSync(file, 'utf8'));
}

export function promisesOf(listed: Listed): Part[] {
  return Object.entries(listed).map(([part, rows]) => ({
    part,
    promises: Object.entries(rows).map(([says, held]) => promised(says, held)),
  }));
}

function promised(says: string, held: Held): Promised {
  return 'waits_for' in held ? { says, waits_for: held.waits_for } : { says, tests: held as readonly string[] };
}

/** A promise for each row of the Decisions. Throws if a row has no entry, or an entry no row; the error names them. */
export function decisionPromises(description: string, held: Listed): Part[] {
  const parts = decisionsIn(description);
  const wanted = parts.flatMap(({ part, rows }) => rows.map((row) => `${part}: ${row}`));
  const listed = Object.entries(held).flatMap(([part, rows]) => Object.keys(rows).map((row) => `${part}: ${row}`));
  const missing = wanted.filter((row) => !listed.includes(row)).map((row) => `decision without tests: "${row}"`);
  const left = listed.filter((row) => !wanted.includes(row)).map((row) => `unknown decision: "${row}"`);
  if (missing.length + left.length > 0) throw new Error([...missing, ...left].join('\n'));
  return parts.map(({ part, rows }) => ({
    part,
    promises: rows.map((says) => promised(says, held[part]![says]!)),
  }));
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
