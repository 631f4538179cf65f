/** The same function, remembering its latest results by argument, so that not everything ever asked for is kept. */
export function remembered<T>(make: (key: string) => T, most: number): (key: string) => T {
  const made = new Map<string, T>();
  return (key) => {
    const found = made.get(key) ?? make(key);
    made.delete(key);
    made.set(key, found);
    if (made.size > most) made.delete(made.keys().next().value!);
    return found;
  };
}
