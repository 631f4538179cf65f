import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A row of docs/limits.md. Paths are from the root of the project. */
export interface Row {
  readonly what: string;
  readonly howMany: string;
  readonly beyond: string;
  /** The constant, variable or directive in backticks; empty: none. */
  readonly name: string;
  /** The file that sets it. */
  readonly file: string;
  readonly tests: readonly string[];
}

const PAGE = 'docs/limits.md';
const HEAD = '| What | How many | Beyond it | Set by | Held by |';

/** The rows of every table of bounds on the page. */
export function rowsOfPage(): Row[] {
  return readFileSync(PAGE, 'utf8')
    .split(/\n{2,}/)
    .flatMap((block) => {
      const [head, , ...rows] = block.trim().split('\n');
      return head === HEAD ? rows.map(rowOf) : [];
    });
}

function rowOf(line: string): Row {
  const [what = '', howMany = '', beyond = '', setBy = '', heldBy = ''] = line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
  const [file = ''] = linksIn(setBy);
  return { what, howMany, beyond, name: /`([^`]+)`/.exec(setBy)?.[1] ?? '', file, tests: linksIn(heldBy) };
}

function linksIn(cell: string): string[] {
  return [...cell.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, target]) => join('docs', target!));
}

/** In milliseconds or bytes. */
const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  min: 60_000,
  h: 3_600_000,
  days: 86_400_000,
  kB: 1000,
  KiB: 1024,
};
/** Suffixes of constants in a unit other than milliseconds. */
const IN_OTHER_UNITS: ReadonlyArray<readonly [RegExp, number]> = [
  [/seconds$/i, 1000],
  [/days$/i, 86_400_000],
];
const TIMES = ['ms', 's', 'min', 'h', 'days'];

/** What the page says instead of a number that only a running server can compute, and the expression in the code. */
const EXPRESSIONS: Readonly<Record<string, string>> = {
  "half of the cores, or of libuv's threads if these are fewer; at least 1":
    'Math.max(1, Math.floor(Math.min(availableParallelism(), THREADS) / 2))',
};

/**
 * The number at the start of a cell, in the unit that the constant's name ends with. For a cell without a number, the
 * expression of EXPRESSIONS, or else the cell itself.
 */
export function figureIn(cell: string, name: string): number | string {
  const [, digits, unit = ''] = /^([\d,.]+)(?: (\w+))?/.exec(cell) ?? [];
  if (digits === undefined) return EXPRESSIONS[cell] ?? cell;
  const figure = Number(digits.replaceAll(',', '')) * (UNITS[unit] ?? 1);
  const [, divisor = 1] = IN_OTHER_UNITS.find(([ending]) => ending.test(name) && TIMES.includes(unit)) ?? [];
  return figure / divisor;
}
