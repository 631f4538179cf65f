import { expect, test } from 'vitest';
import { doMeet, isSimple } from './simple-ring.ts';

test('a square is simple', () => {
  expect(
    isSimple([
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
      [0, 0],
    ]),
  ).toBe(true);
});

test('a bow tie is not', () => {
  expect(
    isSimple([
      [0, 0],
      [1, 1],
      [1, 0],
      [0, 1],
      [0, 0],
    ]),
  ).toBe(false);
});

test('nor is a ring with a vertex on one of its other edges', () => {
  expect(
    isSimple([
      [0, 0],
      [4, 0],
      [4, 4],
      [2, 0],
      [0, 4],
      [0, 0],
    ]),
  ).toBe(false);
});

test('two squares meet when one crosses or touches the other, and not when it lies beside it', () => {
  const square = (west: number) =>
    [
      [west, 0],
      [west + 1, 0],
      [west + 1, 1],
      [west, 1],
      [west, 0],
    ] as const;
  expect([0.5, 1, 1.01].map((west) => doMeet(square(0), square(west)))).toEqual([true, true, false]);
});
