/** Prepared statements by their text. Preparing one takes longer than running most of them. */
export interface Statements<T> {
  /** The statement of this text, prepared unless it is kept. */
  of(source: string): T;
  /** Lets one go, so that it is prepared anew the next time. */
  drop(source: string): void;
  clear(): void;
}

/** @param most how many are kept: those used last */
export function keepStatements<T>(prepare: (source: string) => T, most: number): Statements<T> {
  const kept = new Map<string, T>();
  return {
    of: (source) => {
      const statement = kept.get(source) ?? prepare(source);
      kept.delete(source);
      kept.set(source, statement);
      if (kept.size > most) kept.delete(kept.keys().next().value!);
      return statement;
    },
    drop: (source) => {
      kept.delete(source);
    },
    clear: () => kept.clear(),
  };
}
