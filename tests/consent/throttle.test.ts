import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DEMO_PASSENGERS } from '../../server/demo.ts';
import { CONSENT_PATHS } from '../../server/links.ts';
import { deleteSignIns } from '../../server/store/sessions.ts';
import { OF_PASSENGERS } from '../../server/store/sign-in-tables.ts';
import { ADA, csrfTokenOn, MAYA, newcomer, pageOf, pathOfRequest, queryOfRequest } from '../support/consent.ts';
import { run } from '../support/run.ts';
import { startTestServer, type TestServer, TUESDAY_MORNING } from '../support/server.ts';
import type { View, Visitor } from '../support/visitor.ts';

const MINUTE_SECONDS = 60;
const SETTINGS = { withPages: true, trustedProxies: 1, isWatched: false };

let server: TestServer;
/** The limits use the process clock. Each test sets it with `vi`, and has a server with its own counts. */
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: TUESDAY_MORNING });
  server = await startTestServer('sqlite', SETTINGS);
});
afterEach(async () => {
  await server.close();
  vi.useRealTimers();
});
/** A share of each limit takes as much of the tries. The long run uses all of it. */
const [SHARE, SMALL_SHARE] = run === 'long' ? [1, 1] : [0.2, 0.05];
const startWithShare = async (rateLimitMultiplier = SHARE) => {
  await server.close();
  server = await startTestServer('sqlite', { ...SETTINGS, rateLimitMultiplier });
};

/** A new visitor signs in. */
const signIn = async (who: { readonly email: string; readonly password: string } = MAYA) =>
  (await newcomer(server.baseUrl)).submit(who);
const fail = async (visitor: Visitor, email: string = MAYA.email) =>
  (await visitor.submit({ email, password: 'wrong password' })).status;
const SIGN_IN = `${CONSENT_PATHS.signIn}?${queryOfRequest()}`;
const strangers = new WeakMap<TestServer, Promise<{ browser: Visitor; csrf_token: string }>>();
/** A browser without a device token, with the sign-in form that it sends again and again. */
const strangerAt = (at: TestServer) => {
  const opened =
    strangers.get(at) ?? newcomer(at.baseUrl).then((browser) => ({ browser, csrf_token: csrfTokenOn(browser.view()) }));
  strangers.set(at, opened);
  return opened;
};
/** The stranger tries a wrong password. @param address of the client, as the proxy reports it */
const failTimes = async (times: number, email: string = MAYA.email, at = server, address?: string) => {
  const headers: Record<string, string> = address === undefined ? {} : { 'X-Forwarded-For': address };
  const { browser, csrf_token } = await strangerAt(at);
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

describe('five failures with one email from one address', () => {
  test('make the next tries wait, right or wrong, twice as long each time and a minute at most', async () => {
    expect(await failTimes(6)).toEqual([...Array(5).fill(422), 429]);
    const right = await signIn();
    expectToWait(right, 1);
    expect(right.text).toContain('Wait a second, then try again.');
    const waits = [];
    for (let tries = 0; tries < 8; tries++) {
      const view = await signIn({ ...MAYA, password: 'wrong password' });
      waits.push(Number(view.headers.get('retry-after')));
      passSeconds(waits.at(-1)!);
      expect(await failTimes(1)).toEqual([422]);
    }
    expect(waits.slice(0, 3)).toEqual([1, 2, 4]);
    expect(Math.max(...waits)).toBeLessThanOrEqual(60);
    expect(waits).toEqual(waits.toSorted((one, other) => one - other));
    passSeconds(60);
    expect(pageOf(await signIn())).toBe('consent');
  });

  test('have the same effect for an unknown email, in any spelling', async () => {
    expect(await failTimes(3, 'nobody@example.com')).toEqual(Array(3).fill(422));
    expect(await failTimes(3, ' Nobody@Example.com')).toEqual([422, 422, 429]);
  });

  test('are the maximum, even with fifty concurrent tries', async () => {
    const statuses = (await Promise.all(Array.from({ length: 50 }, () => failTimes(1)))).flat();
    expect(statuses.filter((status) => status === 422)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(45);
  });

  test('do not include a success, which does not reset the count either', async () => {
    for (let index = 0; index < 7; index++) {
      expect(pageOf(await signIn())).toBe('consent');
    }
    await failTimes(4);
    expect(pageOf(await signIn())).toBe('consent');
    expect(await failTimes(2)).toEqual([422, 429]);
  });
});

test('a hundred failures from one address make every try from there wait', async () => {
  await startWithShare();
  for (let index = 0; index < 100 * SHARE; index++) expect(await failTimes(1, `${index}@example.com`)).toEqual([422]);
  const visitor = await newcomer(server.baseUrl);
  expectToWait(await visitor.submit(MAYA), 1);
  expect(pageOf(await visitor.follow('Try again'))).toBe('sign-in');
  passSeconds(1);
  expect(pageOf(await visitor.submit(MAYA))).toBe('consent');
});

test('an incomplete form does not count', async () => {
  for (let index = 0; index < 7; index++) {
    expect((await signIn({ ...MAYA, password: '' })).status).toBe(422);
  }
  expect(pageOf(await signIn())).toBe('consent');
});

test('a hundred successful sign-ins of a passenger from one address make the next one wait', async () => {
  const strict = await startTestServer('sqlite', { ...SETTINGS, rateLimitMultiplier: 0.03 });
  const signInThere = async (who: string = MAYA.email) =>
    (await newcomer(strict.baseUrl)).submit({ ...MAYA, email: who });
  // a failure in between counts separately
  for (let index = 0; index < 3; index++) {
    expect(pageOf(await signInThere())).toBe('consent');
    if (index === 0) expect(await fail(await newcomer(strict.baseUrl), 'nobody@example.com')).toBe(422);
  }
  expectToWait(await signInThere(), 1);
  expect(pageOf(await signInThere('leo@example.com'))).toBe('consent');
  passSeconds(1);
  expect(pageOf(await signInThere())).toBe('consent');
  await strict.close();
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
    ...new Set(await failTimes(times, email, server, address)),
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

  test.each([
    ['invented', async () => 'made-up'],
    [
      'expired',
      async (token: string) => {
        await server.store.db.updateTable('devices').set({ expiresAt: server.parts.now() }).execute();
        return token;
      },
    ],
    [
      'ended with all sign-ins of the passenger',
      async (token: string) => {
        await deleteSignIns(server.store.db, OF_PASSENGERS, DEMO_PASSENGERS[0]!.id);
        return token;
      },
    ],
  ])('a browser whose token is %s is unknown', async (_, tokenAfter) => {
    const owner = await visitorAt('192.0.2.5');
    await owner.submit(MAYA);
    await owner.submit({}, CONSENT_PATHS.signOut);
    const token = await tokenAfter(owner.cookies.get('ridehail_device')!.split(';')[0]!);
    await tryFrom('192.0.2.5', 5);
    owner.cookies.set('ridehail_device', token);
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

  test('tries that wait at one address do not delay the passenger at another', async () => {
    expect(await tryFrom('192.0.2.1', 30)).toEqual([422, 429]);
    expect(await tryFrom('203.0.113.2', 1)).toEqual([422]);
    expect(await tryFrom('192.0.2.1', 1, LEO)).toEqual([422]);
  });

  test('tries that wait do not count against their address', async () => {
    await startWithShare();
    await attack(8);
    expect(await tryFrom('192.0.2.99', 150 * SHARE)).toEqual([429]);
    expect(await tryFrom('192.0.2.99', 1, LEO)).toEqual([422]);
  });

  // for each width, the next network has its own limit
  test.each([
    ['/64', 5, (n: number) => `2001:db8::${n + 1}`, '2001:db8:0:1::1'],
    ['/56', 10, (n: number) => `2001:db8:0:${n.toString(16)}::1`, '2001:db8:0:100::1'],
    ['/48', 20, (n: number) => `2001:db8:0:${n.toString(16)}00::1`, null],
    ['/24', 20, (n: number) => `192.0.2.${n}`, null],
  ])('a network of the width %s can try one account %i times without a wait', async (_, most, addressOf, outside) => {
    for (let n = 0; n < most; n++) expect(await tryFrom(addressOf(n), 1)).toEqual([422]);
    expect(await tryFrom(addressOf(most), 1)).toEqual([429]);
    if (outside !== null) expect(await tryFrom(outside, 1)).toEqual([422]);
  });

  test.each([
    ['/64', 100, (n: number) => `2001:db8::${n + 1}`, '2001:db8:0:1::1'],
    ['/56', 200, (n: number) => `2001:db8:0:${(n % 256).toString(16)}::1`, '2001:db8:0:100::1'],
    ['/48', 400, (n: number) => `2001:db8:0:${(n % 256).toString(16)}00::1`, '2001:db8:1::1'],
    ['/24', 400, (n: number) => `192.0.2.${n % 256}`, '192.0.3.1'],
  ])('a network of the width %s can try all accounts %i times without a wait', async (_, most, addressOf, outside) => {
    await startWithShare(SMALL_SHARE);
    for (let n = 0; n < most * SMALL_SHARE; n++) {
      expect(await tryFrom(addressOf(n), 1, `${n}@example.com`)).toEqual([422]);
    }
    expect(await tryFrom(addressOf(most * SMALL_SHARE), 1)).toEqual([429]);
    expect(await tryFrom(outside, 1)).toEqual([422]);
  });
});
