import { expect, onTestFinished, vi } from 'vitest';
import { freePort } from '../../scripts/support/free-port.ts';
import { LONGEST_REDIS_ANSWER_MS, LONGEST_REDIS_CONNECT_MS } from '../../server/limits/redis/connection.ts';
import { fakeTimers } from '../support/fake-timers.ts';
import {
  BUCKET,
  countsAt,
  FREE,
  keepingLogger,
  LIMITED,
  NOON,
  newPlace,
  redisUrl,
  SLOWING,
  THROTTLE,
  testWithRedis,
} from '../support/redis.ts';
import { silentProxy } from '../support/silent-proxy.ts';
import { until } from '../support/until.ts';

const AWAY = { level: 40, msg: 'Redis is unavailable: this server counts separately' };
const BACK = { level: 30, msg: 'Redis is back: servers share their counts' };

/** How long a test waits for a silent Redis. Redis responds sooner even on a busy machine. */
const SOON_MS = 2000;

async function newProxy() {
  const proxy = await silentProxy(redisUrl);
  onTestFinished(proxy.close);
  return proxy;
}

/** Starts two servers that count in one Redis. The proxy can silence or cut the connection of the first one. */
async function twoServers(answerMs = SOON_MS) {
  const proxy = await newProxy();
  const place = await newPlace();
  const { logger, lines } = keepingLogger();
  const clock = () => NOON;
  const one = await countsAt(place, { url: proxy.url, clock, logger, answerMs });
  const other = await countsAt(place, { clock });
  const calls = async ({ countCall }: typeof one) => (await countCall(BUCKET, 'maya')).calls;
  return { proxy, place, one, other, calls, said: () => lines.map(({ level, msg }) => ({ level, msg })) };
}

testWithRedis.each([
  ['refuses connections', 'cut', 'mend'],
  ['falls silent', 'silenceAll', 'speak'],
] as const)(
  'when Redis %s, each server counts its own calls, and shares the counts again when Redis is back',
  async (_, end, returns) => {
    const { proxy, one, other, calls, said } = await twoServers();
    expect([await calls(one), await calls(other), await calls(one)]).toEqual([1, 2, 3]);
    await proxy[end]();
    // this server has seen two of the three calls
    expect([await calls(one), await calls(one), await calls(one)]).toEqual([3, 4, 5]);
    expect(await calls(other)).toBe(4);
    expect(said()).toEqual([AWAY]);
    await proxy[returns]();
    await until(() => expect(one.redis.isAway()).toBe(false));
    expect([await calls(one), await calls(other)]).toEqual([5, 6]);
    expect(said()).toEqual([AWAY, BACK]);
  },
);

testWithRedis('attempts are still counted when Redis falls silent', async () => {
  const { proxy, one } = await twoServers();
  const limited = one.throttles.throttle('limited', THROTTLE, 1);
  const slowed = one.throttles.slowDown('slowed', SLOWING, 1);
  const passed = async (take: typeof limited, times: number) => {
    let count = 0;
    for (let made = 0; made < times; made++) if ('takeBack' in (await take('maya'))) count += 1;
    return count;
  };
  expect([await passed(limited, 10), await passed(slowed, 10)]).toEqual([10, 10]);
  proxy.silenceAll();
  // earlier attempts still count
  expect([await passed(limited, 2 * LIMITED), await passed(slowed, 2 * FREE)]).toEqual([LIMITED - 10, FREE - 10]);
});

testWithRedis(
  'a Redis that falls silent delays the calls in progress by its response timeout, and no later call',
  async () => {
    // before it connects, so that nothing times out until the test advances the timers
    fakeTimers(['setTimeout', 'clearTimeout']);
    const { proxy, one, said } = await twoServers(LONGEST_REDIS_ANSWER_MS);
    await one.countCall(BUCKET, 'maya');
    proxy.silenceAll();
    const underWay = Promise.all([one.countCall(BUCKET, 'maya'), one.countCall(BUCKET, 'maya')]);
    await proxy.lost(1);
    await vi.advanceTimersByTimeAsync(LONGEST_REDIS_ANSWER_MS);
    expect((await underWay).map(({ calls }) => calls)).toEqual([2, 3]);
    expect(said()).toEqual([AWAY]);
    // the result is not a promise
    expect(one.countCall(BUCKET, 'maya')).toMatchObject({ calls: 4 });
  },
);

testWithRedis('a response that is late because this process was busy is accepted', async () => {
  const { one, calls, said } = await twoServers();
  const call = calls(one);
  // the process sends the command only after this loop
  const busyUntil = performance.now() + 1.2 * SOON_MS;
  while (performance.now() < busyUntil);
  expect(await call).toBe(1);
  expect(said()).toEqual([]);
});

testWithRedis('a server starts without Redis, logs this once, and counts in Redis later', async () => {
  const proxy = await newProxy();
  await proxy.cut();
  const place = await newPlace();
  const { logger, lines } = keepingLogger();
  const one = await countsAt(place, { url: proxy.url, logger });
  const other = await countsAt(place);
  expect(one.countCall(BUCKET, 'maya')).toMatchObject({ calls: 1 });
  await proxy.mend();
  await until(() => expect(one.redis.isAway()).toBe(false));
  expect([await one.countCall(BUCKET, 'maya'), await other.countCall(BUCKET, 'maya')]).toMatchObject([
    { calls: 1 },
    { calls: 2 },
  ]);
  expect(lines).toMatchObject([AWAY, BACK]);
});

testWithRedis('a server starts while Redis accepts connections but does not respond', async () => {
  const proxy = await newProxy();
  proxy.silenceAll();
  const place = await newPlace();
  fakeTimers(['setTimeout', 'clearTimeout']);
  const starting = countsAt(place, { url: proxy.url });
  await proxy.lost(1);
  await vi.advanceTimersByTimeAsync(LONGEST_REDIS_CONNECT_MS);
  expect((await starting).redis.isAway()).toBe(true);
});

testWithRedis('a server counts alone if Redis refuses its password, and does not log the password', async () => {
  const url = new URL(redisUrl);
  Object.assign(url, { username: 'nobody', password: 'hush' });
  const { logger, lines } = keepingLogger();
  const { redis } = await countsAt(await newPlace(), { url: url.href, logger });
  expect(redis.isAway()).toBe(true);
  expect(lines).toMatchObject([{ ...AWAY, err: { message: expect.stringContaining('WRONGPASS') } }]);
  expect(JSON.stringify(lines)).not.toContain('hush');
});

testWithRedis('a connection closes with its server, even while Redis is silent or unavailable', async () => {
  const proxies = await Promise.all(Array.from({ length: 3 }, newProxy));
  const place = await newPlace();
  const port = await freePort();
  const urls = [...proxies.map(({ url }) => url), `redis://127.0.0.1:${port}`];
  const servers = await Promise.all(urls.map((url) => countsAt(place, { url, answerMs: SOON_MS })));
  proxies[1]!.silenceAll();
  await proxies[2]!.cut();
  await Promise.all(servers.map(({ redis }) => redis.close()));
  await until(() => expect(proxies.map(({ open }) => open())).toEqual([0, 0, 0]));
  expect(servers.map(({ redis }) => redis.isAway())).toEqual([true, true, true, true]);
});
