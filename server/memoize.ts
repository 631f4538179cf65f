import { LRUCache } from 'lru-cache';

/**
 * Wraps a function with a cache for its most recently used arguments. A larger result than `most` is kept alone.
 * @param make can report that its result has grown; each begins with the size 1
 * @param most total size of the results
 */
export function memoize<T extends object>(
  make: (key: string, grow: (by: number) => void) => T,
  most: number,
): (key: string) => T {
  const results = new LRUCache<string, T>({ maxSize: most });
  return (key) => {
    const known = results.get(key);
    if (known !== undefined) return known;
    let size = 1;
    const result = make(key, (by) => {
      size += by;
      // it may have been dropped; and the cache ignores the size of a value that it has
      if (results.peek(key) !== result) return;
      results.delete(key);
      results.set(key, result, { size: Math.min(most, size) });
    });
    results.set(key, result, { size });
    return result;
  };
}
