import { expect, test } from 'vitest';
import { isSimple } from './simple-ring.ts';

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
