import { LRUCache } from 'lru-cache';

/** The same function, which keeps its latest results by argument: at most so many. */
export function memoize<T extends object>(make: (key: string) => T, max: number): (key: string) => T {
  const results = new LRUCache<string, T>({ max, memoMethod: make });
  return (key) => results.memo(key);
}
