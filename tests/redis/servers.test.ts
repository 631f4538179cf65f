import { expect, onTestFinished } from 'vitest';
import { CONSENT_PATHS } from '../../server/links.ts';
import { ADA, MAYA, newcomer, queryOfRequest } from '../support/consent.ts';
import { basic } from '../support/demo-caller.ts';
import { rawCall } from '../support/raw-call.ts';
import { countsAt, newPlace, testWithRedis } from '../support/redis.ts';
import { startTestServer } from '../support/server.ts';

// same-verdicts.test.ts checks that servers count together
testWithRedis(
  'calls and attempts are counted in Redis, without emails, addresses or ids, and every key expires',
  async () => {
    const place = await newPlace();
    const { countCall, throttles } = await countsAt(place);
    const settings = { withPages: true, trustedProxies: 1, countCall, throttles };
    const { baseUrl, close, ...server } = await startTestServer('sqlite', settings);
    onTestFinished(close);
    const world = await server.newWorld();
    const { token, passenger } = await server.newRider(world);
    await rawCall(baseUrl, 'getProfile', { token });
    const from = { 'X-Forwarded-For': '2001:db8:7:8::9' };
    await rawCall(baseUrl, 'revokeToken', {
      headers: { ...from, ...basic('demo', 'wrong') },
      body: '{"token":"made-up"}',
    });
    await (await newcomer(baseUrl, undefined, from)).submit({ email: MAYA.email, password: 'wrong' });
    const signingUp = await newcomer(baseUrl, undefined, from);
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
      'wrong-secrets:0',
      'wrong-secrets:1',
      'wrong-secrets:2',
      'wrong-sign-ins:passengers',
    ]);
    // -2: it has expired since it was listed
    expect(kept.filter(({ ttlMs }) => ttlMs !== -2 && !(ttlMs > 0 && ttlMs <= 3_600_000))).toEqual([]);
    const written = kept.map(({ name, value }) => `${name.slice(place.prefix.length)} ${value}`).join('\n');
    for (const clear of [MAYA.email, 'maya', ADA.email, '2001:db8', '127.0.0.1', passenger.id, world.id, 'demo']) {
      expect(written.toLowerCase()).not.toContain(clear);
    }
  },
);
