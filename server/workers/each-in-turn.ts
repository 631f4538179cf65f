/**
 * Works on one thing after the other. A thing that fails keeps none of the others from its turn. In the end throws an
 * AggregateError of what failed.
 */
export async function eachInTurn<T>(things: Iterable<T>, work: (thing: T) => Promise<unknown>): Promise<void> {
  const errors: unknown[] = [];
  for (const thing of things) {
    await work(thing).catch((error: unknown) => {
      errors.push(error);
    });
  }
  if (errors.length === 0) return;
  throw new AggregateError(errors, `${errors.length} failed`);
}
