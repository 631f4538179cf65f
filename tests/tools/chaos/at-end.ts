/** Registers a function that cleans up at the end. */
export type AtEnd = (end: () => Promise<unknown>) => void;

/** Runs `work`, then what it registered, the latest first. */
export async function withEnds<T>(work: (atEnd: AtEnd) => Promise<T>): Promise<T> {
  const ends: (() => Promise<unknown>)[] = [];
  try {
    return await work((end) => ends.unshift(end));
  } finally {
    for (const end of ends) await end();
  }
}
