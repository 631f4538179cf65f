import { expect, test } from 'vitest';
import { holdings } from '../../server/limits/holdings.ts';

/** Holds things of these sizes, of a flow in a group. */
function holding(most: number) {
  const hold = holdings(most);
  const ended: string[] = [];
  const begin = (name: string, [group, flow]: string, size: number) =>
    hold({ group: group!, flow: `${flow}` }, size, () => ended.push(name));
  return { begin, ended };
}

test('as many of the oldest end as the new one needs', () => {
  const { begin, ended } = holding(10);
  for (const [i, size] of [1, 2, 3, 4].entries()) begin(`${i}`, 'Aa', size);
  begin('next', 'Aa', 5);
  expect(ended).toEqual(['0', '1', '2']);
});

test('the largest group is the one with the most, not with the most things', () => {
  const { begin, ended } = holding(10);
  for (const flow of ['a', 'b', 'c']) begin(flow, `A${flow}`, 1);
  begin('few', 'Ba', 3);
  begin('large', 'Bb', 4);
  begin('next', 'Aa', 1);
  expect(ended).toEqual(['large']);
});

test('what is too large by itself is held alone', () => {
  const { begin, ended } = holding(10);
  begin('first', 'Aa', 1);
  begin('large', 'Aa', 11);
  begin('next', 'Aa', 1);
  expect(ended).toEqual(['first', 'large']);
});

test('what leaves makes room once', () => {
  const { begin, ended } = holding(10);
  const leave = begin('first', 'Aa', 5);
  leave();
  leave();
  begin('second', 'Aa', 5);
  begin('third', 'Aa', 5);
  expect(ended).toEqual([]);
  begin('next', 'Aa', 1);
  expect(ended).toEqual(['second']);
});
