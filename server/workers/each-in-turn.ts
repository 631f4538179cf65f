import { WorldGone } from '../store/worlds.ts';

/** Ignores that the world was deleted in the meantime, by another server or by a call. */
export function unlessGone(error: unknown): void {
  if (!(error instanceof WorldGone)) throw error;
}

/** Processes all items, one after the other, even if some fail. Throws an AggregateError of all failures. */
export async function eachInTurn<T>(
  things: Iterable<T> | AsyncIterable<T>,
  work: (thing: T) => Promise<unknown>,
): Promise<void> {
  const errors: unknown[] = [];
  for await (const thing of things) {
    await work(thing).catch((error: unknown) => {
      errors.push(error);
    });
  }
  if (errors.length === 0) return;
  throw new AggregateError(errors, `${errors.length} failed`);
}
