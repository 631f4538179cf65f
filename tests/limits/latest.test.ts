import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { MOST_KEYS, throttle } from '../../server/limits/throttle.ts';
import { sourcesIn } from '../structure/support/sources.ts';

test('a limit of attempts counts a maximum number of keys, and drops the least recently used one', () => {
  const take = throttle([{ attempts: 1, windowSeconds: 60, keyOf: (key: string) => key }], 1);
  const isLate = (key: string) => 'waitSeconds' in take(key);
  for (const key of ['a', 'b']) take(key);
  for (let n = 2; n < MOST_KEYS; n++) take(String(n));
  expect(['a', 'new', 'a', 'b'].map(isLate)).toEqual([true, false, true, false]);
});

test('no large map allocates its memory in advance', () => {
  const maximums = sourcesIn('server/').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/new LRUCache[^(]*\(\{\s*max\b:?\s*(\w*)/g)].map(([, most]) => most),
  );
  expect(maximums.sort()).toEqual([
    'MOST_KNOWN_SETTINGS',
    'MOST_KNOWN_TEXTS',
    'MOST_NUMBERS',
    'MOST_STATEMENTS_KEPT',
    'most',
  ]);
});
