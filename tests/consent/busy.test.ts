import { afterEach, beforeEach, expect, test } from 'vitest';
import { CONSENT_PATHS } from '../../server/links.ts';
import { hashPassword, MOST_HASHES_AT_ONCE, MOST_WAITING_HASHES } from '../../server/oauth/passwords.ts';
import { ADA, MAYA, newcomer, pageOf, queryOfRequest } from '../support/consent.ts';
import { testServer } from '../support/started.ts';
import type { View } from '../support/visitor.ts';

const server = testServer('sqlite', { withPages: true });

/** Hashes on every place, and waits on every other, each for a network of its own. Who leaves a place queues up again. */
let isBusy = true;
let hashing: Promise<unknown> = Promise.resolve();
beforeEach(() => {
  isBusy = true;
  const goOn = async (line: string) => {
    while (isBusy) await hashPassword('tide pool', { line });
  };
  const places = Array.from({ length: MOST_HASHES_AT_ONCE + MOST_WAITING_HASHES }, (_, place) => goOn(String(place)));
  hashing = Promise.all(places);
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

// whoever needs a hash is put off, so each of these needs one, and takes as long
test.each([
  ['a sign-in with an email that nobody has', CONSENT_PATHS.signIn, { ...MAYA, email: 'nobody@example.com' }],
  ['a sign-up with an email that has an account', CONSENT_PATHS.signUp, { ...ADA, email: MAYA.email }],
])('%s waits for its turn to hash, as any other does', async (_, path, fields) => {
  const visitor = await newcomer(server.baseUrl);
  await visitor.open(`${path}?${queryOfRequest()}`);
  expectUnavailable(await visitor.submit(fields));
});

test('a sign-in is put off, and does not count as a try', async () => {
  const visitor = await newcomer(server.baseUrl);
  const path = `${CONSENT_PATHS.signIn}?${queryOfRequest()}`;
  // five failures would hold up the next try
  for (let tries = 0; tries < 6; tries++) {
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
  await visitor.submit(ADA);
  expect(pageOf(await visitor.submit({ email: ADA.email, password: ADA.password }))).toBe('consent');
});
