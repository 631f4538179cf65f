import { beforeEach, describe, expect, test } from 'vitest';
import { failure, rawAnswerOf } from '../support/answers.ts';
import { fakeTimers } from '../support/fake-timers.ts';
import { rawCall } from '../support/raw-call.ts';
import { makePassenger, makeWorld } from '../support/sandboxes.ts';
import { TUESDAY_MORNING } from '../support/server.ts';
import { testServer } from '../support/started.ts';

const server = testServer('sqlite');
beforeEach(() => fakeTimers(['Date'], TUESDAY_MORNING));

const NOW = String(TUESDAY_MORNING / 1000);
const OVER = failure(429, 'rate_limit_exceeded');

/** Calls getProfile, which allows five calls a minute. */
async function profileOf({ token }: { readonly token: string }) {
  const response = await rawCall(server.baseUrl, 'getProfile', { token });
  const header = (name: string) => response.headers.get(`x-ratelimit-${name}`);
  const told = { limit: header('limit'), remaining: header('remaining'), reset: header('reset') };
  return { ...(await rawAnswerOf(response)), ...told };
}

describe('without limits', () => {
  test('a passenger calls as often as they like, and is told that all is left', async () => {
    const rider = await makePassenger(server, await makeWorld(server, { limits: false }));
    for (let i = 0; i < 12; i++) {
      expect(await profileOf(rider)).toMatchObject({ status: 200, limit: '5', remaining: '5', reset: NOW });
    }
  });

  test('nothing is counted: the limits that come back begin anew', async () => {
    const home = await makeWorld(server, { limits: false });
    const rider = await makePassenger(server, home);
    for (let i = 0; i < 6; i++) await profileOf(rider);
    await home.api.updateWorld({ body: { limits: true } });
    expect(await profileOf(rider)).toMatchObject({ status: 200, remaining: '4' });
  });

  test('who was over the limit is let in, and a reset brings it back as it was made', async () => {
    const home = await makeWorld(server);
    const rider = await makePassenger(server, home);
    for (let i = 0; i < 6; i++) await profileOf(rider);
    expect(await profileOf(rider)).toMatchObject(OVER);
    await home.api.updateWorld({ body: { limits: false } });
    expect(await profileOf(rider)).toMatchObject({ status: 200 });
    await home.api.resetWorld();
    expect((await home.api.getWorld()).data!.limits).toBe(true);
  });
});
