import { LRUCache } from 'lru-cache';

/** Wraps a function with a cache for its `max` most recently used arguments. */
export function memoize<T extends object>(make: (key: string) => T, max: number): (key: string) => T {
  const results = new LRUCache<string, T>({ max, memoMethod: make });
  return (key) => results.memo(key);
}
