import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LONGEST_NAME, MOST_FAULTS } from '../../server/http/faults.ts';
import { repeatedKeys } from '../../server/http/repeated-keys.ts';

/** A JSON value, in which an object is a list of entries, so that a key can repeat. */
type Tree = string | { readonly list: readonly Tree[] } | { readonly entries: readonly [key: string, value: Tree][] };

const LEAVES = ['1', 'null', '"a"', '"\\""', '"{[,:]}"', '"a\\\\"'];
const KEYS = ['a', 'b', '', '0', '"', '\\', '__proto__', 'ü', 'x'.repeat(LONGEST_NAME)];

const trees = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.constantFrom(...LEAVES),
    fc.record({ list: fc.array(tie('tree'), { maxLength: 4 }) }),
    fc.record({ entries: fc.array(fc.tuple(fc.constantFrom(...KEYS), tie('tree')), { maxLength: 4 }) }),
  ),
})).tree;

/** @param isEscaped whether each character of a key is written as an escape, which names the same key */
function jsonOf(tree: Tree, isEscaped: boolean): string {
  if (typeof tree === 'string') return tree;
  if ('list' in tree) return `[ ${tree.list.map((one) => jsonOf(one, isEscaped)).join(' , ')} ]`;
  return `{${tree.entries.map(([key, value]) => `${quoted(key, isEscaped)} : ${jsonOf(value, isEscaped)}`).join(',')}}`;
}

function quoted(key: string, isEscaped: boolean): string {
  if (!isEscaped) return JSON.stringify(key);
  return `"${[...key].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`;
}

function pathsIn(tree: Tree, path: readonly (string | number)[] = []): string[] {
  if (typeof tree === 'string') return [];
  if ('list' in tree) return tree.list.flatMap((one, index) => pathsIn(one, [...path, index]));
  return tree.entries.flatMap(([key, value], index) => {
    const here = [...path, key];
    const isRepeated = tree.entries.slice(0, index).some(([other]) => other === key);
    return [...(isRepeated ? [here.join('.').slice(0, LONGEST_NAME + 1)] : []), ...pathsIn(value, here)];
  });
}

test('every repeated key is found once, by its path, however it is written', () => {
  fc.assert(
    fc.property(trees, fc.boolean(), (tree, isEscaped) => {
      const expected = [...new Set(pathsIn(tree))].slice(0, MOST_FAULTS + 1);
      expect(repeatedKeys(jsonOf(tree, isEscaped))).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});
