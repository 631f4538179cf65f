import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CONSENT_PATHS } from '../../server/links.ts';
import { ADA, csrfTokenOn, MAYA, newcomer, pageOf, queryOfRequest } from '../support/consent.ts';
import { startTestServer, type TestServer, TUESDAY_MORNING } from '../support/server.ts';
import type { View, Visitor } from '../support/visitor.ts';

const MINUTE_SECONDS = 60;

let server: TestServer;
/** The limits use the process clock. Each test sets it with `vi`, and has a server with its own counts. */
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: TUESDAY_MORNING });
  server = await startTestServer('sqlite', { withPages: true });
});
afterEach(async () => {
  await server.close();
  vi.useRealTimers();
});

/** A new visitor signs in. */
const signIn = async (who: { readonly email: string; readonly password: string } = MAYA) =>
  (await newcomer(server.baseUrl)).submit(who);
const fail = async (visitor: Visitor, email: string = MAYA.email) =>
  (await visitor.submit({ email, password: 'wrong password' })).status;
const failTimes = async (times: number, email?: string, at = server) => {
  const statuses = [];
  for (let index = 0; index < times; index++) statuses.push(await fail(await newcomer(at.baseUrl), email));
  return statuses;
};
const expectToWait = ({ status, headers, title }: View, minutes: number) =>
  expect([status, headers.get('retry-after'), title]).toEqual([
    429,
    String(minutes * MINUTE_SECONDS),
    'Too many tries · Ridehail',
  ]);
const passSeconds = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);

describe('ten failures with one email from one address', () => {
  test('hold up the next try for the rest of 15 minutes, whether it is right or not', async () => {
    expect(await failTimes(9)).toEqual(Array(9).fill(422));
    passSeconds(10 * MINUTE_SECONDS);
    expect(await failTimes(2)).toEqual([422, 429]);
    const right = await signIn();
    expectToWait(right, 5);
    expect(right.text).toContain('Wait 5 minutes, then try again.');
    passSeconds(5 * MINUTE_SECONDS - 1);
    const late = await signIn();
    expect([late.status, late.headers.get('retry-after')]).toEqual([429, '1']);
    expect(late.text).toContain('Wait a minute, then try again.');
    passSeconds(1);
    expect(pageOf(await signIn())).toBe('consent');
  });

  test('do so for an email that nobody has, too, and however the email is written', async () => {
    expect(await failTimes(5, 'nobody@example.com')).toEqual(Array(5).fill(422));
    expect(await failTimes(6, ' Nobody@Example.com')).toEqual([...Array(5).fill(422), 429]);
  });

  test('hold up nobody else there', async () => {
    await failTimes(11);
    expect(pageOf(await signIn({ ...MAYA, email: 'leo@example.com' }))).toBe('consent');
  });

  test('are ten also of fifty tries at once', async () => {
    const visitors = await Promise.all(Array.from({ length: 50 }, () => newcomer(server.baseUrl)));
    const statuses = await Promise.all(visitors.map((visitor) => fail(visitor)));
    expect(statuses.filter((status) => status === 422)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(40);
  });

  test('are failures: a success counts for none, and wipes out none', async () => {
    for (let index = 0; index < 12; index++) {
      expect(pageOf(await signIn())).toBe('consent');
    }
    await failTimes(9);
    expect(pageOf(await signIn())).toBe('consent');
    expect(await failTimes(2)).toEqual([422, 429]);
  });
});

test('a hundred failures from one address hold up every try from there', async () => {
  const visitor = await newcomer(server.baseUrl);
  for (let index = 0; index < 100; index++) expect(await fail(visitor, `${index}@example.com`)).toBe(422);
  expectToWait(await visitor.submit(MAYA), 15);
  expect(pageOf(await visitor.follow('Begin again'))).toBe('sign-in');
});

test('a form that was not filled in counts for nothing', async () => {
  for (let index = 0; index < 12; index++) {
    expect((await signIn({ ...MAYA, password: '' })).status).toBe(422);
  }
  expect(pageOf(await signIn())).toBe('consent');
});

test('limits are multiplied like those of the API', async () => {
  const generous = await startTestServer('sqlite', { withPages: true, rateLimitMultiplier: 2 });
  expect(await failTimes(21, MAYA.email, generous)).toEqual([...Array(20).fill(422), 429]);
  await generous.close();
});

test('a hundred right sign-ins of a passenger from one address hold up the next for the rest of 15 minutes', async () => {
  const strict = await startTestServer('sqlite', { withPages: true, rateLimitMultiplier: 0.03 });
  const signInThere = async (who: string = MAYA.email) =>
    (await newcomer(strict.baseUrl)).submit({ ...MAYA, email: who });
  // a failure in between counts apart
  for (let index = 0; index < 3; index++) {
    expect(pageOf(await signInThere())).toBe('consent');
    if (index === 0) expect(await fail(await newcomer(strict.baseUrl), 'nobody@example.com')).toBe(422);
  }
  expectToWait(await signInThere(), 15);
  expect(pageOf(await signInThere('leo@example.com'))).toBe('consent');
  passSeconds(15 * MINUTE_SECONDS);
  expect(pageOf(await signInThere())).toBe('consent');
  await strict.close();
});

test('twenty new accounts an hour are made from one address', async () => {
  const visitor = await newcomer(server.baseUrl);
  const signUp = async (email: string) => {
    await visitor.open(`${CONSENT_PATHS.signUp}?${queryOfRequest()}`);
    return visitor.submit({ ...ADA, email });
  };
  for (let index = 0; index < 19; index++) expect(pageOf(await signUp(`ada-${index}@example.com`))).toBe('consent');
  // an invalid form does not count, one with a taken email does
  expect((await signUp('ada')).status).toBe(422);
  expect((await signUp(MAYA.email)).status).toBe(422);
  expectToWait(await signUp('ada-20@example.com'), 60);
  passSeconds(60 * MINUTE_SECONDS);
  expect(pageOf(await signUp('ada-20@example.com'))).toBe('consent');
});

describe('from many addresses', () => {
  /** Signs in `times` times with a wrong password. @param address of the client, as the proxy reports it */
  const tryFrom = async (address: string, times: number, email: string = MAYA.email) => {
    const visitor = await newcomer(server.baseUrl, {}, { 'X-Forwarded-For': address });
    const fields = { csrf_token: csrfTokenOn(visitor.view()), email, password: 'wrong password' };
    const statuses = new Set<number>();
    for (let index = 0; index < times; index++) {
      const path = `${CONSENT_PATHS.signIn}?${queryOfRequest()}`;
      statuses.add((await visitor.post(path, new URLSearchParams(fields))).status);
    }
    return [...statuses];
  };
  const LEO = 'leo@example.com';
  beforeEach(async () => {
    await server.close();
    server = await startTestServer('sqlite', { withPages: true, trustedProxies: 1 });
  });

  test('fifty failures with one email in an hour hold up every try with it', async () => {
    for (let index = 0; index < 5; index++) expect(await tryFrom(`192.0.2.${index}`, 10)).toEqual([422]);
    const visitor = await newcomer(server.baseUrl, {}, { 'X-Forwarded-For': '192.0.2.5' });
    expectToWait(await visitor.submit(MAYA), 60);
    expect(await tryFrom('192.0.2.5', 1, LEO)).toEqual([422]);
    passSeconds(60 * MINUTE_SECONDS);
    expect(await tryFrom('192.0.2.5', 1)).toEqual([422]);
  });

  test('tries that are held up at one address do not keep the passenger out at another', async () => {
    expect(await tryFrom('192.0.2.1', 150)).toEqual([422, 429]);
    expect(await tryFrom('192.0.2.2', 1)).toEqual([422]);
    expect(await tryFrom('192.0.2.1', 1, LEO)).toEqual([422]);
  });

  test('tries that are held up for an email do not count against the address that they come from', async () => {
    for (let index = 0; index < 5; index++) await tryFrom(`192.0.2.${index}`, 10);
    expect(await tryFrom('192.0.2.99', 150)).toEqual([429]);
    expect(await tryFrom('192.0.2.99', 1, LEO)).toEqual([422]);
  });

  test('a network of IPv6 counts as one address', async () => {
    expect(await tryFrom('2001:db8::1', 10)).toEqual([422]);
    expect(await tryFrom('2001:db8::2:3', 1)).toEqual([429]);
    expect(await tryFrom('2001:db8:0:1::1', 1)).toEqual([422]);
  });
});
