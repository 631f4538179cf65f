import { createHash } from 'node:crypto';

const DRAWS_PER_DIGEST = 8;

/** SHA-256 of a seed and the parts of a key: what every draw and every derived id comes from. */
export function digest(seed: string, ...key: ReadonlyArray<string | number>): Buffer {
  // JSON keeps ('a', 'bc') and ('ab', 'c') apart
  return createHash('sha256')
    .update(JSON.stringify([seed, ...key]))
    .digest();
}

/** `count` numbers, each uniform in [0, 1): the same for the same seed and key, in any process. */
export function draws(count: number, seed: string, ...key: ReadonlyArray<string | number>): number[] {
  const numbers: number[] = [];
  for (let block = 0; numbers.length < count; block++) {
    const bytes = digest(seed, ...key, block);
    for (let i = 0; i < DRAWS_PER_DIGEST && numbers.length < count; i++) {
      numbers.push(bytes.readUInt32BE(i * 4) / 2 ** 32);
    }
  }
  return numbers;
}

/** One number, uniform in [0, 1). */
export function draw(seed: string, ...key: ReadonlyArray<string | number>): number {
  return draws(1, seed, ...key)[0]!;
}

/** The element of a non-empty list that a number in [0, 1) points at. */
export function pick<T>(list: readonly T[], at: number): T {
  return list[Math.floor(at * list.length)]!;
}
