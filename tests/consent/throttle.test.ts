import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CONSENT_PATHS } from '../../server/links.ts';
import { ADA, csrfTokenOn, MAYA, newcomer, pageOf, pathOfRequest, queryOfRequest } from '../support/consent.ts';
import { fakeTimers } from '../support/fake-timers.ts';
import { run } from '../support/run.ts';
import { startTestServer, type TestServer, TUESDAY_MORNING } from '../support/server.ts';
import type { View, Visitor } from '../support/visitor.ts';

const MINUTE_SECONDS = 60;
const SETTINGS = { withPages: true, trustedProxies: 1, isWatched: false };

let server: TestServer;
/** A browser without a device token, and the sign-in form that it sends again and again. */
let stranger: { readonly browser: Visitor; readonly csrf_token: string };
const start = async (rateLimitMultiplier = 1) => {
  server = await startTestServer('sqlite', { ...SETTINGS, rateLimitMultiplier });
  const browser = await newcomer(server.baseUrl);
  stranger = { browser, csrf_token: csrfTokenOn(browser.view()) };
};
/** The limits use the process clock. Each test has a server with its own counts. */
beforeEach(async () => {
  fakeTimers(['Date'], TUESDAY_MORNING);
  await start();
});
afterEach(() => server.close());
/** A share of each limit takes as much of the tries. The long run uses all of it. */
const SHARE = run === 'long' ? 1 : 0.2;
const startWithShare = async (share = SHARE) => {
  await server.close();
  await start(share);
};

/** A new visitor signs in. */
const signIn = async (who: { readonly email: string; readonly password: string } = MAYA) =>
  (await newcomer(server.baseUrl)).submit(who);
const fail = async (visitor: Visitor, email: string = MAYA.email) =>
  (await visitor.submit({ email, password: 'wrong password' })).status;
const SIGN_IN = `${CONSENT_PATHS.signIn}?${queryOfRequest()}`;
/** The stranger tries a wrong password. @param address of the client, as the proxy reports it */
const failTimes = async (times: number, email: string = MAYA.email, address?: string) => {
  const headers: Record<string, string> = address === undefined ? {} : { 'X-Forwarded-For': address };
  const { browser, csrf_token } = stranger;
  const statuses = [];
  for (let index = 0; index < times; index++) {
    const fields = new URLSearchParams({ csrf_token, email, password: 'wrong password' });
    statuses.push((await browser.post(SIGN_IN, fields, headers)).status);
  }
  return statuses;
};
const expectToWait = ({ status, headers, title }: View, seconds: number) =>
  expect([status, headers.get('retry-after'), title]).toEqual([429, String(seconds), 'Too many attempts · Ridehail']);
/** The device tokens of a browser, one for each passenger who signed in with it. */
const tokensOf = (browser: Visitor) => browser.cookies.get('ridehail_device')!.split(';')[0]!.split('.');
const passengerRow = () =>
  server.store.db.selectFrom('passengers').selectAll().where('email', '=', MAYA.email).executeTakeFirstOrThrow();
const passSeconds = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);

// limits/slow-down.test.ts has how long the next tries wait
test('after five failures with one email from one address, the next try waits, right or wrong, in any spelling', async () => {
  expect(await failTimes(6)).toEqual([...Array(5).fill(422), 429]);
  const right = await signIn();
  expectToWait(right, 1);
  expect(right.text).toContain('Wait a second, then try again.');
  passSeconds(1);
  expect(pageOf(await signIn())).toBe('consent');
  expect(await failTimes(3, 'nobody@example.com')).toEqual(Array(3).fill(422));
  expect(await failTimes(3, ' Nobody@Example.com')).toEqual([422, 422, 429]);
});

test('of fifty concurrent tries, five are checked', async () => {
  const statuses = (await Promise.all(Array.from({ length: 50 }, () => failTimes(1)))).flat();
  expect(statuses.sort()).toEqual([...Array(5).fill(422), ...Array(45).fill(429)]);
});

test('successes and incomplete forms are no failures, and a success does not reset the count', async () => {
  for (let index = 0; index < 7; index++) {
    expect(pageOf(await signIn())).toBe('consent');
    expect((await signIn({ ...MAYA, password: '' })).status).toBe(422);
  }
  await failTimes(4);
  expect(pageOf(await signIn())).toBe('consent');
  expect(await failTimes(2)).toEqual([422, 429]);
});

test('a hundred successful sign-ins of a passenger from one address make the next one wait', async () => {
  await startWithShare(0.03);
  // a failure in between counts separately
  for (let index = 0; index < 3; index++) {
    expect(pageOf(await signIn())).toBe('consent');
    if (index === 0) expect(await failTimes(1, 'nobody@example.com')).toEqual([422]);
  }
  expectToWait(await signIn(), 1);
  expect(pageOf(await signIn({ ...MAYA, email: 'leo@example.com' }))).toBe('consent');
  passSeconds(1);
  expect(pageOf(await signIn())).toBe('consent');
});

test('one address can create twenty accounts an hour', async () => {
  await startWithShare();
  const visitor = await newcomer(server.baseUrl);
  const signUp = async (email: string) => {
    await visitor.open(`${CONSENT_PATHS.signUp}?${queryOfRequest()}`);
    return visitor.submit({ ...ADA, email });
  };
  for (let index = 0; index < 20 * SHARE - 1; index++)
    expect(pageOf(await signUp(`ada-${index}@example.com`))).toBe('sign-in');
  // an invalid form does not count, but a form with the email of an existing account does
  expect((await signUp('ada')).status).toBe(422);
  expect((await signUp(MAYA.email)).status).toBe(200);
  expectToWait(await signUp('ada-20@example.com'), 60 * MINUTE_SECONDS);
  passSeconds(60 * MINUTE_SECONDS);
  expect(pageOf(await signUp('ada-20@example.com'))).toBe('sign-in');
});

describe('from many addresses', () => {
  /** The statuses of some tries from an address. */
  const tryFrom = async (address: string, times: number, email?: string) => [
    ...new Set(await failTimes(times, email, address)),
  ];
  const LEO = 'leo@example.com';

  /** Tries five times from each of `count` addresses, which share no network of any width. */
  const attack = async (count: number) => {
    for (let index = 0; index < count; index++) await tryFrom(`198.51.${index}.1`, 5);
  };
  const visitorAt = (address: string, headers = {}) =>
    newcomer(server.baseUrl, {}, { 'X-Forwarded-For': address, ...headers });

  test('an attack on an account makes an unknown browser wait once, and then the right password works', async () => {
    await attack(8);
    const owner = await visitorAt('192.0.2.5');
    const first = await owner.submit(MAYA);
    expect(first.status).toBe(429);
    const wait = Number(first.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    // others are not slowed down
    expect(await tryFrom('192.0.2.5', 1, LEO)).toEqual([422]);
    passSeconds(wait - 1);
    await attack(3);
    await owner.open(pathOfRequest());
    expectToWait(await owner.submit(MAYA), 1);
    passSeconds(1);
    await attack(3);
    await owner.open(pathOfRequest());
    expect(pageOf(await owner.submit(MAYA))).toBe('consent');
  });

  test('a browser that signed in to the account before does not wait, even during an attack', async () => {
    const owner = await visitorAt('192.0.2.5');
    await owner.submit(MAYA);
    await owner.submit({}, CONSENT_PATHS.signOut);
    await attack(8);
    await tryFrom('192.0.2.5', 20);
    expect(pageOf(await owner.submit(MAYA))).toBe('consent');
    // the new token of the browser is valid too
    await owner.submit({}, CONSENT_PATHS.signOut);
    expect(pageOf(await owner.submit(MAYA))).toBe('consent');
  });

  test('a known browser has its own limit, and is unknown to other accounts', async () => {
    const thief = await visitorAt('192.0.2.5');
    await thief.submit(MAYA);
    await thief.submit({}, CONSENT_PATHS.signOut);
    const statuses = [];
    for (let tries = 0; tries < 6; tries++) statuses.push(await fail(thief));
    expect(statuses).toEqual([...Array(5).fill(422), 429]);
    // unknown browsers have not tried yet
    expect(await tryFrom('192.0.2.5', 6)).toEqual([422, 429]);
    await thief.open(pathOfRequest());
    expect(await tryFrom('192.0.2.5', 5, LEO)).toEqual([422]);
    expectToWait(await thief.submit({ ...MAYA, email: LEO }), 1);
  });

  // account/tries.test.ts has what else makes a browser unknown
  test('a browser whose token is invented or expired is unknown', async () => {
    const owner = await visitorAt('192.0.2.5');
    await owner.submit(MAYA);
    await owner.submit({}, CONSENT_PATHS.signOut);
    const token = owner.cookies.get('ridehail_device')!;
    await tryFrom('192.0.2.5', 5);
    owner.cookies.set('ridehail_device', 'made-up');
    expectToWait(await owner.submit(MAYA), 1);
    await server.store.db.updateTable('devices').set({ expiresAt: server.parts.now() }).execute();
    owner.cookies.set('ridehail_device', token);
    await owner.open(pathOfRequest());
    expectToWait(await owner.submit(MAYA), 1);
  });

  test('a browser in which several passengers signed in is known to the last five of them', async () => {
    const browser = await visitorAt('192.0.2.5');
    for (const email of [MAYA.email, LEO, MAYA.email, LEO]) {
      await browser.submit({ ...MAYA, email });
      await browser.submit({}, CONSENT_PATHS.signOut);
    }
    expect(await server.store.db.selectFrom('devices').selectAll().execute()).toHaveLength(2);
    expect(tokensOf(browser)).toHaveLength(2);
    await tryFrom('192.0.2.5', 5);
    await tryFrom('192.0.2.5', 5, LEO);
    for (const email of [MAYA.email, LEO]) {
      expect(pageOf(await browser.submit({ ...MAYA, email })), email).toBe('consent');
      await browser.submit({}, CONSENT_PATHS.signOut);
    }
    const sixth = [...Array(5)].map((_, number) => `other${number}`);
    for (const name of sixth) {
      const other = { ...(await passengerRow()), id: name, email: `${name}@example.com` };
      await server.store.db.insertInto('passengers').values(other).execute();
      await browser.submit({ ...MAYA, email: other.email });
      await browser.submit({}, CONSENT_PATHS.signOut);
    }
    expect(tokensOf(browser)).toHaveLength(5);
    expectToWait(await browser.submit(MAYA), 1);
  });

  test('tries that wait do not count against their address', async () => {
    await startWithShare();
    await attack(8);
    expect(await tryFrom('192.0.2.99', 150 * SHARE)).toEqual([429]);
    expect(await tryFrom('192.0.2.99', 1, LEO)).toEqual([422]);
  });
});
