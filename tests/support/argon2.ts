import * as argon2 from '../../node_modules/@node-rs/argon2/index.js';

/**
 * Stands for the package @node-rs/argon2 in tests, which sign in as the same few people again and again. Remembers each
 * verdict, which depends only on the hash and the password.
 */
const verdicts = new Map<string, Promise<boolean>>();

export const { hash } = argon2;

export function verify(stored: string, typed: string): Promise<boolean> {
  const key = JSON.stringify([stored, typed]);
  const verdict = verdicts.get(key) ?? argon2.verify(stored, typed);
  verdicts.set(key, verdict);
  return verdict;
}
