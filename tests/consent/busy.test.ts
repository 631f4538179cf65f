import { afterEach, beforeEach, expect, test } from 'vitest';
import { CONSENT_PATHS } from '../../server/links.ts';
import { hashPassword, MOST_HASHES_AT_ONCE, MOST_WAITING_HASHES } from '../../server/oauth/passwords.ts';
import { ADA, MAYA, newcomer, pageOf, queryOfRequest } from '../support/consent.ts';
import { testServer } from '../support/started.ts';
import type { View } from '../support/visitor.ts';

// one failure, or one account, is the limit
const server = testServer('sqlite', { withPages: true, rateLimitMultiplier: 0.05 });

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

test.each([
  ['a sign-in has to be repeated, but does not count as a try', CONSENT_PATHS.signIn, MAYA],
  ['a sign-up has to be repeated, but creates no account', CONSENT_PATHS.signUp, ADA],
])('%s', async (_, path, fields) => {
  const visitor = await newcomer(server.baseUrl);
  const open = () => visitor.open(`${path}?${queryOfRequest()}`);
  // a failed sign-in, or a created account, would delay the next one
  for (let tries = 0; tries < 3; tries++) {
    await open();
    expectUnavailable(await visitor.submit(fields));
  }
  await rest();
  await open();
  await visitor.submit(fields);
  if (path === CONSENT_PATHS.signUp) await visitor.submit({ password: ADA.password });
  expect(pageOf(visitor.view())).toBe('consent');
});
