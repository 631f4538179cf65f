import { beforeEach, expect, test, vi } from 'vitest';
import { failure, rawAnswerOf } from '../support/answers.ts';
import { fakeTimers } from '../support/fake-timers.ts';
import { LIVE_CLIENT } from '../support/oauth.ts';
import { rawCall } from '../support/raw-call.ts';
import { TUESDAY_MORNING } from '../support/server.ts';
import { serverForEach } from '../support/started.ts';

const server = serverForEach('sqlite', { trustedProxies: 1, rateLimitMultiplier: 0.003 });
/** Windows run on the process clock. */
beforeEach(() => fakeTimers(['Date'], TUESDAY_MORNING));

const RIGHT = LIVE_CLIENT.Authorization;
const WRONG = `${RIGHT.slice(0, -8)}AAAAAAA=`;
const BODIES = { createToken: 'grant_type=client_credentials', revokeRefreshToken: 'token=made-up' } as const;
const OVER = failure(429, 'rate_limit_exceeded');

async function ask(
  authorization: string | null,
  { from = '192.0.2.1', at = 'createToken' }: { readonly from?: string; readonly at?: keyof typeof BODIES } = {},
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

test('three wrong secrets from a network hold up every secret from there for the rest of the minute', async () => {
  expect([await statusOf(WRONG), await statusOf(WRONG, { at: 'revokeRefreshToken' })]).toEqual([401, 401]);
  vi.setSystemTime(TUESDAY_MORNING + 20_000);
  expect(await statusOf('Basic nonsense')).toBe(401);
  for (const at of ['createToken', 'revokeRefreshToken'] as const) {
    expect(await ask(RIGHT, { at })).toEqual({ answer: OVER, retryAfter: '40', limit: '3' });
  }
  // elsewhere nobody waits
  expect(await statusOf(RIGHT, { from: '192.0.2.2' })).toBe(200);
  vi.setSystemTime(TUESDAY_MORNING + 60_000);
  expect(await statusOf(RIGHT)).toBe(200);
});

test('right secrets do not count, nor do calls without any', async () => {
  const statuses = [];
  for (let call = 0; call < 10; call++) statuses.push(await statusOf(call % 2 ? null : RIGHT));
  // three calls are the limit of the operation
  expect(statuses).toEqual([200, 401, 200, 401, 200, 401, 429, 401, 429, 401]);
  expect(await statusOf(WRONG)).toBe(401);
});

test('of many wrong ones at once no more are looked at', async () => {
  const statuses = await Promise.all(Array.from({ length: 20 }, () => statusOf(WRONG)));
  expect(statuses.sort()).toEqual([...Array(3).fill(401), ...Array(17).fill(429)]);
});

test('a network of IPv6 counts as one', async () => {
  for (const end of ['1', '2', '3']) expect(await statusOf(WRONG, { from: `2001:db8::${end}` })).toBe(401);
  expect(await statusOf(RIGHT, { from: '2001:db8::4' })).toBe(429);
  expect(await statusOf(RIGHT, { from: '2001:db8:0:1::4' })).toBe(200);
});
