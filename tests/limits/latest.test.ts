import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { latest } from '../../server/limits/latest.ts';
import { sourcesIn } from '../structure/support/sources.ts';

test('a new key replaces the least recently used one', () => {
  const kept = latest<number>(2);
  kept.set('a', 1).set('b', 2);
  kept.get('a');
  kept.set('c', 3);
  expect([...kept.keys()].sort()).toEqual(['a', 'c']);
  kept.set('a', 4).set('d', 5);
  expect([...kept.entries()].sort()).toEqual([
    ['a', 4],
    ['d', 5],
  ]);
});

test('no large map allocates its memory in advance', () => {
  const maximums = sourcesIn('server/').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/new LRUCache[^(]*\(\{\s*max\b:?\s*(\w*)/g)].map(([, most]) => most),
  );
  expect(maximums.sort()).toEqual([
    '',
    'MOST_KNOWN_SETTINGS',
    'MOST_KNOWN_TEXTS',
    'MOST_NUMBERS',
    'MOST_STATEMENTS_KEPT',
    'most',
  ]);
});
