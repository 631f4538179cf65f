import { expect, onTestFinished } from 'vitest';
import { DEMO_PASSENGERS } from '../../server/demo.ts';
import { everyEngine } from '../support/database.ts';
import { demoToken } from '../support/demo-caller.ts';
import { rawCall } from '../support/raw-call.ts';
import { redisUrl, testWithRedis } from '../support/redis.ts';
import { silentProxy } from '../support/silent-proxy.ts';
import { until } from '../support/until.ts';
import { type Home, newHome, TELLS_OF_REDIS } from './support.ts';

const LIMIT = 5;
const AT_THE_LIMIT = [...Array(LIMIT).fill(200), ...Array(LIMIT).fill(429)];

const profile = (baseUrl: string, token: string) => rawCall(baseUrl, 'getProfile', { token });

// tests/redis/ has a Redis that refuses connections and comes back
testWithRedis.runIf(everyEngine.includes('postgres'))(
  'servers share counts on one PostgreSQL database, count alone while Redis does not respond, and stop on a signal',
  async () => {
    const proxy = await silentProxy(redisUrl);
    onTestFinished(proxy.close);
    const homes = [await newHome('postgres'), await newHome()] as const;
    const start = (home: Home) => home.start({ REDIS_URL: proxy.url, NODE_OPTIONS: TELLS_OF_REDIS });
    const servers = [await start(homes[0]), await start(homes[0]), await start(homes[1])] as const;
    const [one, other, stranger] = servers;
    const [first, second] = DEMO_PASSENGERS.map(({ email }) => demoToken(one.baseUrl, email));
    const [shared, alone] = [await first!, await second!];
    const statuses = [];
    for (const { baseUrl } of Array(LIMIT).fill([one, other]).flat()) {
      statuses.push((await profile(baseUrl, shared)).status);
    }
    expect(statuses).toEqual(AT_THE_LIMIT);
    const elsewhere = await profile(stranger.baseUrl, await demoToken(stranger.baseUrl));
    expect(elsewhere.headers.get('x-ratelimit-remaining')).toBe(String(LIMIT - 1));

    proxy.silenceAll();
    const answers = await Promise.all(Array.from({ length: 2 * LIMIT }, () => profile(one.baseUrl, alone)));
    expect(answers.map(({ status }) => status).sort()).toEqual(AT_THE_LIMIT);
    expect(await Promise.all(servers.map((server) => server.end('SIGTERM')))).toEqual([0, 0, 0]);
    await until(() => expect(one.output()).toContain('loads Redis: true'));
  },
);
