import { hash } from 'node:crypto';
import type { Row } from './tables.ts';

/** What a table holds. */
export interface Content {
  readonly rows: number;
  /** The sum of the SHA-256 of all rows, in hexadecimal digits. */
  readonly checksum: string;
}

/** SHA-256 has so many bits, and the sum keeps as many. */
const BITS = 256;

/**
 * Adds up rows, one by one. A sum does not depend on their order: the engines sort texts differently, and to sort a large
 * table as the other engine does would take long.
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
