import { expect, test } from 'vitest';
import { hashPassword, isPassword } from '../../server/oauth/passwords.ts';
import { hashOf } from '../../server/oauth/secrets.ts';

test('only the original password matches its hash', async () => {
  const hash = await hashPassword('tide pool at dawn');
  expect(await isPassword('tide pool at dawn', hash)).toBe(true);
  for (const other of ['tide pool at dusk', 'Tide pool at dawn', 'tide pool at dawn ', '']) {
    expect(await isPassword(other, hash)).toBe(false);
  }
});

test('the hash uses Argon2id at the cost that OWASP recommends, and is never the same twice', async () => {
  const [first, second] = await Promise.all([hashPassword('tide pool'), hashPassword('tide pool')]);
  expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(second).not.toBe(first);
});

test('a password matches regardless of how a keyboard composes its characters', async () => {
  const composed = await hashPassword('caf\u00e9 \u2163');
  expect(await isPassword('cafe\u0301 IV', composed)).toBe(true);
  expect(await isPassword('cafe IV', composed)).toBe(false);
});

test.each([
  ['no account', undefined],
  ['an empty hash', ''],
  ['a plain hash', hashOf('tide pool')],
  ['the password itself', 'tide pool'],
  ['half a hash', '$argon2id$v=19$m=19456,t=2,p=1$hyOjTrmqMldeKA9hJepUow'],
  ['a hash with zero cost', '$argon2id$v=19$m=0,t=0,p=0$hyOjTrmqMldeKA9hJepUow$n1BJdLnplVDFS9MkrOVacg'],
  ['any other text', '$\0\u{1F697}$'],
])('no password matches %s', async (_, stored) => {
  expect(await isPassword('tide pool', stored)).toBe(false);
});

test('a password can have any characters and any length', async () => {
  for (const odd of ['', '\0', '\ud800', '\u{1F697}'.repeat(10_000)]) {
    expect(await isPassword(odd, await hashPassword(odd))).toBe(true);
  }
});

test('a guess takes as much work if there is no account, or the stored value is not a hash', async () => {
  const hash = await hashPassword('tide pool');
  const known = await workOf((guess) => isPassword(guess, hash));
  for (const stored of [undefined, 'plain']) {
    expect(await workOf((guess) => isPassword(guess, stored))).toBeGreaterThan(known / 3);
  }
});

/** Each guess is new, because the tests remember verdicts. */
let guesses = 0;

/** The CPU time of five guesses, in microseconds. CPU time does not depend on other processes. */
async function workOf(act: (guess: string) => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  for (let i = 0; i < 5; i++) await act(`guess ${guesses++}`);
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
