import { hash } from 'node:crypto';

const DRAWS_PER_DIGEST = 8;

/** SHA-256 of a seed and a key. All random draws and derived ids use it. */
export function digest(seed: string, ...key: ReadonlyArray<string | number>): Buffer {
  // JSON distinguishes ('a', 'bc') from ('ab', 'c'). Node hashes to a string faster than to a buffer.
  return Buffer.from(hash('sha256', JSON.stringify([seed, ...key]), 'binary'), 'binary');
}

/** N numbers; a tuple, so that each has a name, if there are few. */
type Numbers<N extends number, List extends number[] = []> = N extends 1 | 3 | 6 | 8
  ? List['length'] extends N
    ? List
    : Numbers<N, [...List, number]>
  : number[];

/** `count` numbers, uniform in [0, 1). The same seed and key give the same numbers in every process. */
export function draws<N extends number>(count: N, seed: string, ...key: ReadonlyArray<string | number>): Numbers<N> {
  const numbers: number[] = [];
  for (let block = 0; numbers.length < count; block++) {
    const bytes = digest(seed, ...key, block);
    for (let i = 0; i < DRAWS_PER_DIGEST && numbers.length < count; i++) {
      numbers.push(bytes.readUInt32BE(i * 4) / 2 ** 32);
    }
  }
  return numbers as Numbers<N>;
}

/** One number, uniform in [0, 1). */
export function draw(seed: string, ...key: ReadonlyArray<string | number>): number {
  return draws(1, seed, ...key)[0];
}

/** Picks an element of a non-empty list with a number in [0, 1). */
export function pick<T>(list: readonly T[], at: number): T {
  return list[Math.floor(at * list.length)]!;
}
