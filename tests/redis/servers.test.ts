import { describe, expect, onTestFinished } from 'vitest';
import { CONSENT_PATHS } from '../../server/links.ts';
import { failure, rawAnswerOf } from '../support/answers.ts';
import { ADA, MAYA, newcomer, pageOf, queryOfRequest } from '../support/consent.ts';
import { openTestStore } from '../support/database.ts';
import { LIVE_CLIENT } from '../support/oauth.ts';
import { rawCall } from '../support/raw-call.ts';
import { countsAt, newPlace, testWithRedis } from '../support/redis.ts';
import { startTestServer, type TestServer, TUESDAY_MORNING } from '../support/server.ts';

const OVER = failure(429, 'rate_limit_exceeded');

/** Starts two servers that share a database and count in one Redis. */
async function twoServers({
  clock,
  ...settings
}: Parameters<typeof startTestServer>[1] & { readonly clock?: () => number } = {}) {
  const store = await openTestStore('sqlite');
  const place = await newPlace();
  const start = async () => {
    const { countCall, throttles } = await countsAt(place, { ...(clock && { clock }) });
    // the database stays open until both servers have closed
    const shared = { ...store, close: async () => {} };
    return startTestServer('sqlite', { withPages: true, ...settings, store: shared, countCall, throttles });
  };
  const [one, other] = [await start(), await start()];
  onTestFinished(async () => {
    for (const { close } of [one, other, store]) await close();
  });
  return { one, other, place };
}

const profileOf = async ({ baseUrl }: TestServer, token: string) => {
  const response = await rawCall(baseUrl, 'getProfile', { token });
  return { answer: await rawAnswerOf(response), remaining: response.headers.get('x-ratelimit-remaining') };
};
const signIn = async ({ baseUrl }: TestServer, password: string, email: string = MAYA.email) =>
  (await newcomer(baseUrl)).submit({ email, password });

describe('two servers', () => {
  testWithRedis('limit the calls of a passenger together', async () => {
    const { one, other } = await twoServers();
    const { token } = await one.newRider(await one.newWorld());
    const remaining = [];
    for (const server of [one, other, one, other, one]) remaining.push((await profileOf(server, token)).remaining);
    expect(remaining).toEqual(['4', '3', '2', '1', '0']);
    expect((await profileOf(other, token)).answer).toEqual(OVER);
    expect((await profileOf(one, token)).answer).toEqual(OVER);
  });

  testWithRedis('slow down wrong passwords together, and a correct one does not count', async () => {
    // a wait of a second could be over before the next attempt
    const { one, other } = await twoServers({ clock: () => TUESDAY_MORNING });
    for (const server of [one, other, one]) expect(pageOf(await signIn(server, MAYA.password))).toBe('consent');
    const statuses = [];
    for (const server of [one, other, one, other, one, other]) statuses.push((await signIn(server, 'wrong')).status);
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429]);
    expect((await signIn(one, 'wrong')).status).toBe(429);
    // another account is not affected
    expect((await signIn(other, 'wrong', 'leo@example.com')).status).toBe(422);
  });

  testWithRedis('count sign-ups together', async () => {
    const { one, other } = await twoServers({ rateLimitMultiplier: 0.1 });
    const signUp = async ({ baseUrl }: TestServer, email: string) => {
      const visitor = await newcomer(baseUrl);
      await visitor.open(`${CONSENT_PATHS.signUp}?${queryOfRequest()}`);
      return (await visitor.submit({ ...ADA, email })).status;
    };
    expect([await signUp(one, 'a@example.com'), await signUp(other, 'b@example.com')]).toEqual([200, 200]);
    expect([await signUp(one, 'c@example.com'), await signUp(other, 'c@example.com')]).toEqual([429, 429]);
  });

  testWithRedis('count wrong client secrets together', async () => {
    const { one, other } = await twoServers({ rateLimitMultiplier: 0.003 });
    const Authorization = `${LIVE_CLIENT.Authorization.slice(0, -8)}AAAAAAA=`;
    const ask = async ({ baseUrl }: TestServer) =>
      (await rawCall(baseUrl, 'revokeToken', { headers: { Authorization }, body: '{"token":"made-up"}' })).status;
    expect([await ask(one), await ask(other), await ask(one), await ask(other)]).toEqual([401, 401, 401, 429]);
  });
});

testWithRedis('Redis stores no emails, addresses or ids, and every key expires', async () => {
  const { one, place } = await twoServers({ trustedProxies: 1 });
  const world = await one.newWorld();
  const { token, passenger } = await one.newRider(world);
  await profileOf(one, token);
  const from = { 'X-Forwarded-For': '2001:db8:7:8::9' };
  await (await newcomer(one.baseUrl, undefined, from)).submit({ email: MAYA.email, password: 'wrong' });
  const signingUp = await newcomer(one.baseUrl, undefined, from);
  await signingUp.open(`${CONSENT_PATHS.signUp}?${queryOfRequest()}`);
  await signingUp.submit(ADA);
  const kept = await place.kept();
  const counts = new Set(kept.map(({ name }) => name.slice(place.prefix.length).split(':').slice(0, 2).join(':')));
  expect([...counts].sort()).toEqual([
    'calls:oauth.authorize',
    'calls:profile',
    'calls:sandboxes',
    'right-sign-ins:passengers',
    'sign-ups:passengers',
    'wrong-sign-ins:passengers',
  ]);
  expect(kept.filter(({ ttlMs }) => !(ttlMs > 0 && ttlMs <= 3_600_000))).toEqual([]);
  const written = kept.map(({ name, value }) => `${name.slice(place.prefix.length)} ${value}`).join('\n');
  for (const clear of [MAYA.email, 'maya', ADA.email, '2001:db8', '127.0.0.1', passenger.id, world.id, 'demo']) {
    expect(written.toLowerCase()).not.toContain(clear);
  }
});
