import { afterEach, beforeEach, expect, test } from 'vitest';
import { CONSENT_PATHS } from '../../server/links.ts';
import { hashPassword, MOST_HASHES_AT_ONCE, MOST_WAITING_HASHES } from '../../server/oauth/passwords.ts';
import { ADA, MAYA, newcomer, pageOf, queryOfRequest } from '../support/consent.ts';
import { testServer } from '../support/started.ts';
import type { View } from '../support/visitor.ts';

const server = testServer('sqlite', { withPages: true });

/** Hashes on every place, and waits on every other, until the end of the test. Who leaves a place queues up again. */
let isBusy = true;
let hashing: Promise<unknown> = Promise.resolve();
beforeEach(() => {
  isBusy = true;
  const goOn = async () => {
    while (isBusy) await hashPassword('tide pool');
  };
  hashing = Promise.all(Array.from({ length: MOST_HASHES_AT_ONCE + MOST_WAITING_HASHES }, goOn));
});
const rest = () => {
  isBusy = false;
  return hashing;
};
afterEach(rest);

const expectUnavailable = ({ status, headers, title, text }: View) => {
  expect([status, headers.get('retry-after'), title]).toEqual([503, '5', 'Not available at the moment · Ridehail']);
  expect(text).toContain('Too many people sign in at the moment; try again shortly.');
};

test('a sign-in is put off, and does not count as a try', async () => {
  const visitor = await newcomer(server.baseUrl);
  const path = `${CONSENT_PATHS.signIn}?${queryOfRequest()}`;
  // ten failures would hold up the next try
  for (let tries = 0; tries < 11; tries++) {
    await visitor.open(path);
    expectUnavailable(await visitor.submit({ ...MAYA, password: tries % 2 ? 'wrong password' : MAYA.password }));
  }
  await rest();
  await visitor.open(path);
  expect(pageOf(await visitor.submit(MAYA))).toBe('consent');
});

test('a sign-up is put off, and makes no account', async () => {
  const visitor = await newcomer(server.baseUrl);
  const path = `${CONSENT_PATHS.signUp}?${queryOfRequest()}`;
  // twenty accounts would hold up the next
  for (let tries = 0; tries < 21; tries++) {
    await visitor.open(path);
    expectUnavailable(await visitor.submit(ADA));
  }
  await rest();
  await visitor.open(path);
  expect(pageOf(await visitor.submit(ADA))).toBe('consent');
});
