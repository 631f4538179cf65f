import { afterEach, beforeEach, expect, test } from 'vitest';
import { CONSENT_PATHS } from '../../server/links.ts';
import { hashPassword, MOST_HASHES_AT_ONCE, MOST_WAITING_HASHES } from '../../server/oauth/passwords.ts';
import { ADA, MAYA, newcomer, pageOf, queryOfRequest } from '../support/consent.ts';
import { testServer } from '../support/started.ts';
import type { View } from '../support/visitor.ts';

const server = testServer('sqlite', { withPages: true });

/** Fills all places for running and waiting hashes, each from its own network. A hash that ends starts again. */
let isBusy = true;
let hashing: Promise<unknown> = Promise.resolve();
beforeEach(() => {
  isBusy = true;
  const goOn = async (flow: string) => {
    while (isBusy) await hashPassword('tide pool', { flow });
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
  expect([status, headers.get('retry-after'), title]).toEqual([503, '5', 'Temporarily unavailable · Ridehail']);
  expect(text).toContain('Too many people are signing in at the moment. Try again shortly.');
};

// each of these requests needs a hash, so it waits like every other one
test.each([
  ['a sign-in with an unknown email', CONSENT_PATHS.signIn, { ...MAYA, email: 'nobody@example.com' }],
  ['a sign-up with an email that has an account', CONSENT_PATHS.signUp, { ...ADA, email: MAYA.email }],
])('%s waits for its turn to hash', async (_, path, fields) => {
  const visitor = await newcomer(server.baseUrl);
  await visitor.open(`${path}?${queryOfRequest()}`);
  expectUnavailable(await visitor.submit(fields));
});

test('a sign-in has to be repeated, but does not count as a try', async () => {
  const visitor = await newcomer(server.baseUrl);
  const path = `${CONSENT_PATHS.signIn}?${queryOfRequest()}`;
  // five failures would delay the next try
  for (let tries = 0; tries < 6; tries++) {
    await visitor.open(path);
    expectUnavailable(await visitor.submit({ ...MAYA, password: tries % 2 ? 'wrong password' : MAYA.password }));
  }
  await rest();
  await visitor.open(path);
  expect(pageOf(await visitor.submit(MAYA))).toBe('consent');
});

test('a sign-up has to be repeated, but creates no account', async () => {
  const visitor = await newcomer(server.baseUrl);
  const path = `${CONSENT_PATHS.signUp}?${queryOfRequest()}`;
  // twenty accounts would delay the next one
  for (let tries = 0; tries < 21; tries++) {
    await visitor.open(path);
    expectUnavailable(await visitor.submit(ADA));
  }
  await rest();
  await visitor.open(path);
  await visitor.submit(ADA);
  expect(pageOf(await visitor.submit({ email: ADA.email, password: ADA.password }))).toBe('consent');
});
