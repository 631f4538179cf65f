/** Runs work with the same key one after the other, in order of arrival. */
export function oneByOne(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const latest = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const mine = Promise.resolve(latest.get(key)).then(work, work);
    latest.set(key, mine);
    try {
      return await mine;
    } finally {
      if (latest.get(key) === mine) latest.delete(key);
    }
  };
}
