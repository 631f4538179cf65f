import { expect, test } from 'vitest';
import type { Ring } from '../../server/domain/geo.ts';
import { rectangle } from '../support/fake-area.ts';
import { doMeet, isSimple } from './simple-ring.ts';

/** Parses the corners of a closed ring. */
const ring = (corners: string): Ring => corners.split(' ').map((corner) => corner.split(',').map(Number) as never);

test.each<[string, string, boolean]>([
  ['a square', '0,0 1,0 1,1 0,1 0,0', true],
  ['a bow tie', '0,0 1,1 1,0 0,1 0,0', false],
  ['a ring with a vertex on one of its other edges', '0,0 4,0 4,4 2,0 0,4 0,0', false],
])('%s, %s, is simple: %s', (_, corners, simple) => {
  expect(isSimple(ring(corners))).toBe(simple);
});

test('two squares meet if one crosses or touches the other, not if they are apart', () => {
  const square = (west: number) => rectangle(west, 0, west + 1, 1);
  expect([0.5, 1, 1.01].map((west) => doMeet(square(0), square(west)))).toEqual([true, true, false]);
});
