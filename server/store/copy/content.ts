import { hash } from 'node:crypto';
import type { Row } from './source.ts';

export interface Content {
  readonly rows: number;
  /**
   * The sum of the rows' SHA-256 hashes, in hexadecimal. The order of the rows does not change it. Each hash is of a JSON
   * array with the row's values, so the sum covers every value, except leases, which count as null. It covers no indexes
   * and no constraints.
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
