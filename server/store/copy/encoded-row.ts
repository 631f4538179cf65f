import { isUtf8 } from 'node:buffer';
import { type Column, type ColumnType, keyOf, type Row, type Table, type Value } from './tables.ts';

/** Columns that belong to the processes that used the file. A server clears them when it starts. */
const OF_PROCESSES: readonly string[] = ['lease_owner', 'lease_until'];

/** The first letters of SQLite's type names. */
const KINDS = { null: 'n', integer: 'i', text: 't' } as const;
const COLON = ':'.charCodeAt(0);

/**
 * An expression that encodes a whole row as one blob. Each column becomes the first letter of its type, its length in
 * bytes, a colon, and its text. Plain columns do not work: libsql truncates texts at NUL characters, crashes on invalid
 * UTF-8, and is slow for many blobs.
 */
export function encodedRow({ columns }: Table): string {
  return `cast(${columns.map(encoded).join(' || ')} as blob)`;
}

function encoded({ name }: Column): string {
  if (OF_PROCESSES.includes(name)) return `'${KINDS.null}0:'`;
  const column = quoted(name);
  return `substr(typeof(${column}), 1, 1) || coalesce(length(cast(${column} as blob)), 0) || ':' || coalesce(${column}, '')`;
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Decodes a row. Throws when PostgreSQL cannot store it. */
export function decodedRow(table: Table, blob: Buffer): Row {
  const mayBeWrong = blob.includes(0) || !isUtf8(blob);
  const [row, problems]: [Value[], string[]] = [[], []];
  let at = 0;
  for (const { name, type } of table.columns) {
    const kind = String.fromCharCode(blob[at]!);
    const colon = blob.indexOf(COLON, at);
    const end = colon + 1 + Number(blob.toString('latin1', at + 1, colon));
    const text = blob.toString('utf8', colon + 1, end);
    const problem =
      kind === KINDS.null
        ? null
        : (CHECKS[type](kind, text) ?? (mayBeWrong ? wrongCharacters(blob.subarray(colon + 1, end)) : null));
    if (problem !== null) problems.push(`${name} ${problem}`);
    row.push(kind === KINDS.null ? null : kind === KINDS.integer ? Number(text) : text);
    at = end;
  }
  if (problems.length === 0) return row;
  throw new Error(
    `PostgreSQL cannot store a row of ${table.name}: ${problems.join(', ')}. Its key is ` +
      `${JSON.stringify(keyOf(table, row))}. Correct the row in the SQLite file, and run the command again.`,
  );
}

/** What is wrong with a value for a column of this type; null if nothing is. */
const CHECKS: Readonly<Record<ColumnType, (kind: string, text: string) => string | null>> = {
  text: (kind) => (kind === KINDS.text ? null : 'is not text'),
  integer: (kind, text) => rangeProblem(kind, text, { least: -(2 ** 31), most: 2 ** 31 - 1 }),
  // the server reads it as a JavaScript number
  bigint: (kind, text) => rangeProblem(kind, text, { least: Number.MIN_SAFE_INTEGER, most: Number.MAX_SAFE_INTEGER }),
};

function rangeProblem(kind: string, text: string, { least, most }: { least: number; most: number }): string | null {
  if (kind !== KINDS.integer) return 'is not an integer';
  return Number(text) < least || Number(text) > most ? `is not from ${least} to ${most}` : null;
}

function wrongCharacters(bytes: Buffer): string | null {
  if (bytes.includes(0)) return 'has a NUL character';
  return isUtf8(bytes) ? null : 'is not UTF-8';
}
