/** The package ships no types. */
declare module 'fs-native-extensions' {
  /** @returns whether the open file description now has an exclusive lock on these bytes */
  export function tryLock(file: number, offset: number, length: number): boolean;
}
