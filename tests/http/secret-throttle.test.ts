import type { Request, Response } from 'express';
import { beforeEach, expect, test, vi } from 'vitest';
import { DEMO } from '../../server/demo.ts';
import { secretThrottle } from '../../server/http/secret-throttle.ts';
import { THROTTLES_IN_MEMORY } from '../../server/limits/throttles.ts';
import { setSecrets } from '../../server/store/application-keys.ts';
import { failure, rawAnswerOf } from '../support/answers.ts';
import { basic } from '../support/demo-caller.ts';
import { fakeTimers } from '../support/fake-timers.ts';
import { LIVE_CLIENT, SANDBOX_CLIENT } from '../support/oauth.ts';
import { rawCall } from '../support/raw-call.ts';
import { TUESDAY_MORNING } from '../support/server.ts';
import { serverForEach } from '../support/started.ts';

const server = serverForEach('sqlite', { trustedProxies: 1, rateLimitMultiplier: 0.003 });
/** Windows run on the process clock. */
beforeEach(() => fakeTimers(['Date'], TUESDAY_MORNING));

const RIGHT = LIVE_CLIENT.Authorization;
const WRONG = `${RIGHT.slice(0, -8)}AAAAAAA=`;
const BODIES = {
  createToken: 'grant_type=client_credentials',
  revokeToken: 'token=made-up',
  revokeRefreshToken: 'token=made-up',
} as const;
const OVER = failure(429, 'rate_limit_exceeded');

async function ask(
  authorization: string | null,
  { from = '192.0.2.1', at = 'revokeToken' }: { readonly from?: string; readonly at?: keyof typeof BODIES } = {},
) {
  const response = await rawCall(server.baseUrl, at, {
    headers: {
      'X-Forwarded-For': from,
      'Content-Type': 'application/x-www-form-urlencoded',
      ...(authorization !== null && { Authorization: authorization }),
    },
    body: BODIES[at],
  });
  const header = (name: string) => response.headers.get(name);
  const told = { retryAfter: header('retry-after'), limit: header('x-ratelimit-limit') };
  return { answer: await rawAnswerOf(response), ...told };
}
const statusOf = async (...call: Parameters<typeof ask>) => (await ask(...call)).answer.status;

test('after three wrong secrets, a network cannot use new secrets for the rest of the minute', async () => {
  expect([await statusOf(WRONG), await statusOf(WRONG, { at: 'revokeRefreshToken' })]).toEqual([401, 401]);
  vi.setSystemTime(TUESDAY_MORNING + 20_000);
  expect(await statusOf('Basic nonsense')).toBe(401);
  for (const at of ['createToken', 'revokeToken', 'revokeRefreshToken'] as const) {
    expect(await ask(RIGHT, { at })).toEqual({ answer: OVER, retryAfter: '40', limit: '3' });
  }
  // other networks are not affected
  expect(await statusOf(RIGHT, { from: '192.0.2.2' })).toBe(200);
  vi.setSystemTime(TUESDAY_MORNING + 60_000);
  expect(await statusOf(RIGHT)).toBe(200);
});

test('correct secrets do not count, and neither do calls without a secret', async () => {
  const statuses = [];
  for (let call = 0; call < 10; call++) statuses.push(await statusOf(call % 2 ? null : RIGHT));
  // three calls are the limit of the operation
  expect(statuses).toEqual([200, 401, 200, 401, 200, 401, 429, 401, 429, 401]);
  expect(await statusOf(WRONG)).toBe(401);
});

test('of many concurrent wrong secrets, only three are checked', async () => {
  const statuses = await Promise.all(Array.from({ length: 20 }, () => statusOf(WRONG)));
  expect(statuses.sort()).toEqual([...Array(3).fill(401), ...Array(17).fill(429)]);
});

test('a network can keep using a secret from the last hour after wrong ones, but no new secret', async () => {
  const sandboxSecret = SANDBOX_CLIENT.Authorization;
  expect(await statusOf(RIGHT, { at: 'revokeRefreshToken' })).toBe(200);
  vi.setSystemTime(TUESDAY_MORNING + 59 * 60_000);
  for (let call = 0; call < 3; call++) await statusOf(WRONG);
  expect(await statusOf(RIGHT)).toBe(200);
  // the same, spelled in another way
  expect(await statusOf(RIGHT.replace('Basic ', 'basic   '))).toBe(200);
  // correct, for the same application, but never seen from this network
  expect(await statusOf(sandboxSecret)).toBe(429);
  // seen only from another network
  for (let call = 0; call < 3; call++) await statusOf(WRONG, { from: '192.0.2.2' });
  expect(await statusOf(RIGHT, { from: '192.0.2.2' })).toBe(429);
  vi.setSystemTime(TUESDAY_MORNING + 3 * 60 * 60_000);
  for (let call = 0; call < 3; call++) await statusOf(WRONG);
  expect(await statusOf(RIGHT)).toBe(429);
});

test('a replaced secret is wrong, and counts from the second attempt on', async () => {
  await statusOf(RIGHT, { at: 'revokeRefreshToken' });
  await setSecrets(server.store.db, DEMO.clientId, { liveSecretHash: 'other', sandboxSecretHash: 'another' });
  const statuses = [];
  for (let call = 0; call < 6; call++) statuses.push(await statusOf(RIGHT, { at: 'revokeRefreshToken' }));
  expect(statuses).toEqual([401, 401, 401, 401, 429, 429]);
});

test('an application with many networks or many spellings does not evict other applications', async () => {
  const count = secretThrottle({ throttles: THROTTLES_IN_MEMORY, rateLimitMultiplier: 0.001 });
  const call = (authorization: string, ip = '192.0.2.1') =>
    count({ ip } as Request, { set: () => {}, setHeader: () => {} } as unknown as Response, authorization, () => {});
  (await call(RIGHT))('right');
  const { Authorization: noisy } = basic('noisy', 'noisy-secret');
  for (let n = 0; n < 10_000; n++) {
    (await call(noisy, `2001:db8:${(n >> 8).toString(16)}:${(n & 255).toString(16)}::1`))('right');
    (await call(noisy.replace(' ', ' '.repeat(n % 1000)), '192.0.2.2'))('right');
  }
  (await call(WRONG))('wrong');
  await expect(call(noisy)).rejects.toThrow('too many wrong client credentials');
  await call(RIGHT);
});

// the next network of each width has its own attempts
test.each([
  ['/64', 3, (n: number) => `[2001:db8::${n + 1}]:${n + 1}`, '2001:db8:0:1::4'],
  ['/56', 6, (n: number) => `2001:db8:0:${n + 1}::1`, '2001:db8:0:100::1'],
  ['/48', 12, (n: number) => `2001:db8:0:${n + 1}00::1`, '2001:db8:1::1'],
  ['/24', 12, (n: number) => `192.0.2.${n + 1}:80`, '192.0.3.1'],
])('a network of the width %s has %i wrong attempts per minute', async (_, most, addressOf, outside) => {
  for (let n = 0; n < most; n++) expect(await statusOf(WRONG, { from: addressOf(n) })).toBe(401);
  expect(await statusOf(RIGHT, { from: addressOf(most) })).toBe(429);
  expect(await statusOf(RIGHT, { from: outside })).toBe(200);
});
