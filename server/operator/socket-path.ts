import { relative } from 'node:path';

/**
 * Bytes in the path of the operators' socket, the most on Linux and macOS, which silently truncate longer ones.
 * @beyond the server runs without the socket, and logs it
 * @heldBy tests/operator/command-socket.test.ts
 */
const LONGEST_SOCKET_PATH = 103;

/** The path of the server's local socket for an SQLite file; null if it's too long. @param file the file's path */
export function socketPathOf(file: string): string | null {
  const path = `${file}.operator`;
  // the relative path may be short enough
  return [path, relative(process.cwd(), path)].find((one) => Buffer.byteLength(one) <= LONGEST_SOCKET_PATH) ?? null;
}
