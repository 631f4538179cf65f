import { LRUCache } from 'lru-cache';

/** The same function, which caches its results for the `max` latest arguments. */
export function memoize<T extends object>(make: (key: string) => T, max: number): (key: string) => T {
  const results = new LRUCache<string, T>({ max, memoMethod: make });
  return (key) => results.memo(key);
}
