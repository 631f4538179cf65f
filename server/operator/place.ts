import { relative } from 'node:path';

/** The longest path of a local socket on Linux and macOS, in bytes. Longer ones would be cut without a word. */
const LONGEST_SOCKET_PATH = 103;

/** The local socket of the server that owns an SQLite file; null if its path would be too long. @param file its path */
export function doorOf(file: string): string | null {
  const path = `${file}.operator`;
  // a deep folder may still be near the working directory
  return [path, relative(process.cwd(), path)].find((one) => Buffer.byteLength(one) <= LONGEST_SOCKET_PATH) ?? null;
}
