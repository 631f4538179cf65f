import { LRUCache } from 'lru-cache';

/** A map that grows with what is in it. LRUCache with `max` takes all of its memory at once: 2.5 MB for 100,000 keys. */
export type Latest<V extends object | number | string> = LRUCache<string, V>;

/** Keeps the `most` keys that were used latest. */
export function latest<V extends object | number | string>(most: number): Latest<V> {
  return new LRUCache<string, V>({ maxSize: most, sizeCalculation: () => 1 });
}
