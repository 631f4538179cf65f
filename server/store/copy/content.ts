import { hash } from 'node:crypto';
import type { Row } from './source.ts';

/** The content of a table. */
export interface Content {
  readonly rows: number;
  /**
   * The sum of the SHA-256 hashes of all rows, in hexadecimal, whatever their order. A row is hashed as a JSON array of
   * its values, in the order of the file's columns. So it covers every value except leases, which are hashed as null.
   * It does not cover indexes and constraints.
   */
  readonly checksum: string;
}

/** The length of a SHA-256 hash; the sum wraps at this length. */
const BITS = 256;

/** @param onRows called after each page, with the number of rows so far */
export async function contentOf(
  pages: AsyncIterable<readonly Row[]>,
  onRows: (rows: number) => void,
): Promise<Content> {
  let [rows, sum] = [0, 0n];
  for await (const page of pages) {
    for (const row of page) sum = BigInt.asUintN(BITS, sum + BigInt(`0x${hash('sha256', JSON.stringify(row))}`));
    rows += page.length;
    onRows(rows);
  }
  return { rows, checksum: sum.toString(16).padStart(BITS / 4, '0') };
}
