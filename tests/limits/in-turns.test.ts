import { expect, test } from 'vitest';
import { inPieces } from '../../server/limits/in-turns.ts';

test('a list whose elements take long is mapped in pieces, and the pieces of others run in between', async () => {
  let now = 0;
  const done: string[] = [];
  const mapOf = (list: string, ms: number) =>
    inPieces(
      [1, 2, 3],
      (element) => {
        now += ms;
        done.push(`${list}${element}`);
        return 2 * element;
      },
      undefined,
      () => now,
    );
  expect(await Promise.all([mapOf('long', 2), mapOf('short', 0.1), mapOf('other', 2)])).toEqual(
    Array(3).fill([2, 4, 6]),
  );
  expect(done).toEqual(['long1', 'short1', 'short2', 'short3', 'other1', 'long2', 'other2', 'long3', 'other3']);
});
