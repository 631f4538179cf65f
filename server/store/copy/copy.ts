import { hash } from 'node:crypto';
import { isUnavailable } from '../engine/errors.ts';
import type { FileLocation, ServerLocation } from '../location.ts';
import { openSource, type Row } from './source.ts';
import { inOneTransaction, inserted, reasonOf, stored } from './target.ts';

/** The progress of a copy, in rows of a table. */
export interface Progress {
  readonly phase: 'copying' | 'checking';
  readonly table: string;
  readonly rows: number;
  readonly of: number;
}

export interface Copy {
  readonly from: FileLocation;
  readonly to: ServerLocation;
  readonly onStep: (step: Progress) => void;
}

export interface Content {
  readonly rows: number;
  /**
   * The sum of the rows' SHA-256 hashes, in hexadecimal. The order of the rows does not change it. Each hash is of a JSON
   * array with the row's values, so the sum covers every value, except leases, which count as null. It covers no indexes
   * and no constraints.
   */
  readonly checksum: string;
}

/** The content of each table, identical in both databases. */
export type Copied = ReadonlyMap<string, Content>;

/**
 * Copies an SQLite file to an empty PostgreSQL schema, in one transaction: after an error, PostgreSQL is unchanged. The
 * copy owns the file while it runs, and leaves it unchanged. Throws unless both have the same content at the end.
 */
export async function copyToServer({ from, to, onStep }: Copy): Promise<Copied> {
  const source = openSource(from.path);
  try {
    return await inOneTransaction(to, async (connection) => {
      const copied = new Map<string, Content>();
      for (const table of source.tables) {
        const stepOf = (phase: Progress['phase']) => (rows: number) =>
          onStep({ phase, table: table.name, rows, of: table.rows });
        const read = await contentOf(inserted(connection, table, source.pages(table)), stepOf('copying'));
        const written = await contentOf(stored(connection, table), stepOf('checking'));
        // SQLite has counted the rows, so this finds rows that were not read
        assertSame(table.name, { ...read, rows: table.rows }, written);
        copied.set(table.name, written);
      }
      return copied;
    });
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    throw new Error(`The copy was interrupted: ${reasonOf(error)}. Run the command again.`);
  } finally {
    source.close();
  }
}

function assertSame(table: string, source: Content, target: Content): void {
  if (source.rows === target.rows && source.checksum === target.checksum) return;
  const told = ({ rows, checksum }: Content) => `${rows} rows with the checksum ${checksum}`;
  throw new Error(
    `The copy of ${table} differs: ${told(source)} in the file, ${told(target)} in PostgreSQL. Nothing was copied.`,
  );
}

/** The length of a SHA-256 hash; the sum wraps at this length. */
const BITS = 256;

/** @param onRows called after each page, with the number of rows so far */
async function contentOf(pages: AsyncIterable<readonly Row[]>, onRows: (rows: number) => void): Promise<Content> {
  let [rows, sum] = [0, 0n];
  for await (const page of pages) {
    for (const row of page) sum = BigInt.asUintN(BITS, sum + BigInt(`0x${hash('sha256', JSON.stringify(row))}`));
    rows += page.length;
    onRows(rows);
  }
  return { rows, checksum: sum.toString(16).padStart(BITS / 4, '0') };
}
