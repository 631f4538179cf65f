import { LRUCache } from 'lru-cache';

// Scopes are a list in code and a space-separated text in the database.

/**
 * Lists of scopes in memory.
 * @beyond the least recently used one is dropped, and split again when needed
 * @heldBy tests/limits/latest.test.ts
 */
const MOST_KNOWN_TEXTS = 100;

/** Each call reads the scopes of its token, and there are few combinations. */
const known = new LRUCache<string, readonly string[]>({
  max: MOST_KNOWN_TEXTS,
  memoMethod: (text) => (text === '' ? [] : text.split(' ')),
});

export function scopesIn(text: string): readonly string[] {
  return known.memo(text);
}
