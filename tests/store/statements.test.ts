import { expect, test } from 'vitest';
import { keepStatements } from '../../server/store/statements.ts';

function preparing(most: number) {
  const prepared: string[] = [];
  const prepare = (source: string) => {
    prepared.push(source);
    return { source };
  };
  return { prepared, statements: keepStatements(prepare, most) };
}

test('a statement is prepared once', () => {
  const { prepared, statements } = preparing(2);
  const first = statements.of('select 1');
  expect(statements.of('select 1')).toBe(first);
  expect(prepared).toEqual(['select 1']);
});

test('of more than can be kept, the one used longest ago goes', () => {
  const { prepared, statements } = preparing(2);
  for (const source of ['a', 'b', 'a', 'c', 'a', 'b']) statements.of(source);
  expect(prepared).toEqual(['a', 'b', 'c', 'b']);
});

test('one that was let go is prepared anew, and so is each after a clearing', () => {
  const { prepared, statements } = preparing(3);
  for (const source of ['a', 'b']) statements.of(source);
  statements.drop('a');
  for (const source of ['a', 'b']) statements.of(source);
  statements.clear();
  statements.of('b');
  expect(prepared).toEqual(['a', 'b', 'a', 'b']);
});
