import { hash } from 'node:crypto';
import type { Row } from './tables.ts';

/** The content of a table. */
export interface Content {
  readonly rows: number;
  /** The sum of the SHA-256 hashes of all rows, in hexadecimal. */
  readonly checksum: string;
}

/** The length of a SHA-256 hash; the sum wraps at this length. */
const BITS = 256;

/**
 * Sums the hashes of rows. A sum is independent of their order: the engines sort texts differently, and re-sorting a
 * large table would take long.
 */
export function newSum(): { readonly add: (row: Row) => void; readonly content: () => Content } {
  let rows = 0;
  let sum = 0n;
  return {
    add(row) {
      rows++;
      sum = BigInt.asUintN(BITS, sum + BigInt(`0x${hash('sha256', JSON.stringify(row))}`));
    },
    content: () => ({ rows, checksum: sum.toString(16).padStart(BITS / 4, '0') }),
  };
}
