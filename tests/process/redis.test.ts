import { describe, expect, onTestFinished } from 'vitest';
import { freePort } from '../../scripts/support/free-port.ts';
import { rawAnswerOf } from '../support/answers.ts';
import { everyEngine } from '../support/database.ts';
import { demoToken } from '../support/demo-caller.ts';
import { rawCall } from '../support/raw-call.ts';
import { redisUrl, testWithRedis } from '../support/redis.ts';
import { silentProxy } from '../support/silent-proxy.ts';
import { until } from '../support/until.ts';
import { newHome, TELLS_OF_REDIS } from './support.ts';

const LIMIT = 5;

const profile = async (baseUrl: string, token: string) => rawCall(baseUrl, 'getProfile', { token });

describe('a server', () => {
  testWithRedis('starts while Redis refuses connections, logs this once, and stops on a signal', async () => {
    const home = await newHome();
    const server = await home.start({ REDIS_URL: `redis://127.0.0.1:${await freePort()}`, LOG_LEVEL: 'warn' });
    expect((await profile(server.baseUrl, await demoToken(server.baseUrl))).status).toBe(200);
    expect(await server.end('SIGTERM')).toBe(0);
    expect(server.output().match(/Redis is unavailable/g)).toHaveLength(1);
  });

  testWithRedis('serves calls while Redis does not respond, and stops on a signal', async () => {
    const proxy = await silentProxy(redisUrl);
    onTestFinished(proxy.close);
    const home = await newHome();
    const server = await home.start({ REDIS_URL: proxy.url, NODE_OPTIONS: TELLS_OF_REDIS });
    const token = await demoToken(server.baseUrl);
    proxy.silenceAll();
    const answers = await Promise.all(
      Array.from({ length: 2 * LIMIT }, async () => rawAnswerOf(await profile(server.baseUrl, token))),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(LIMIT).fill(200), ...Array(LIMIT).fill(429)]);
    expect(await server.end('SIGTERM')).toBe(0);
    await until(() => expect(server.output()).toContain('loads Redis: true'));
  });

  testWithRedis.runIf(everyEngine.includes('postgres'))(
    'shares counts with a server on the same PostgreSQL database, and with no other',
    async () => {
      const homes = [await newHome('postgres'), await newHome()] as const;
      const start = (home: (typeof homes)[number]) => home.start({ REDIS_URL: redisUrl });
      const one = await start(homes[0]);
      const [other, stranger] = [await start(homes[0]), await start(homes[1])];
      const token = await demoToken(one.baseUrl);
      const statuses = [];
      for (let call = 0; call < 2 * LIMIT; call++) {
        statuses.push((await profile((call % 2 === 0 ? one : other).baseUrl, token)).status);
      }
      expect(statuses).toEqual([...Array(LIMIT).fill(200), ...Array(LIMIT).fill(429)]);
      const elsewhere = await profile(stranger.baseUrl, await demoToken(stranger.baseUrl));
      expect(elsewhere.headers.get('x-ratelimit-remaining')).toBe(String(LIMIT - 1));
      expect(await Promise.all([one, other, stranger].map((server) => server.end('SIGTERM')))).toEqual([0, 0, 0]);
    },
  );
});
