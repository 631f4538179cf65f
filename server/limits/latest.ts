import { LRUCache } from 'lru-cache';

/** A map that allocates as it grows. LRUCache with `max` allocates everything up front: 2.5 MB for 100,000 keys. */
export type Latest<V extends object | number | string> = LRUCache<string, V>;

/** Keeps the `most` most recently used keys. */
export function latest<V extends object | number | string>(most: number): Latest<V> {
  return new LRUCache<string, V>({ maxSize: most, sizeCalculation: () => 1 });
}
