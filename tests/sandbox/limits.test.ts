import { beforeEach, describe, expect, test, vi } from 'vitest';
import { SANDBOX_LIMIT } from '../../generated/server.ts';
import type { World } from '../../server/domain/worlds/clock.ts';
import { DEFAULT_SETTINGS } from '../../server/domain/worlds/settings.ts';
import { failure, rawAnswerOf } from '../support/answers.ts';
import { fakeTimers } from '../support/fake-timers.ts';
import { rawCall } from '../support/raw-call.ts';
import { makePassenger, makeWorld } from '../support/sandboxes.ts';
import { LIVE, TUESDAY_MORNING } from '../support/server.ts';
import { testServer } from '../support/started.ts';

const server = testServer('sqlite');
beforeEach(() => fakeTimers(['Date'], TUESDAY_MORNING));

const NOW = String(TUESDAY_MORNING / 1000);
const WINDOW_ENDS = String(TUESDAY_MORNING / 1000 + SANDBOX_LIMIT.windowSeconds);
const UNLIMITED = { ...DEFAULT_SETTINGS, limits: false };
const OVER = failure(429, 'rate_limit_exceeded');

/** Calls getProfile, which allows five calls a minute. */
async function profileOf({ token }: { readonly token: string }) {
  const response = await rawCall(server.baseUrl, 'getProfile', { token });
  const header = (name: string) => response.headers.get(`x-ratelimit-${name}`);
  const told = { limit: header('limit'), remaining: header('remaining'), reset: header('reset') };
  return { ...(await rawAnswerOf(response)), ...told };
}

describe('without limits', () => {
  test('a passenger who was over the limit can call any number of times, and a reset restores the limits', async () => {
    const home = await makeWorld(server);
    const rider = await makePassenger(server, home);
    for (let i = 0; i < 5; i++) await profileOf(rider);
    expect(await profileOf(rider)).toMatchObject(OVER);
    await home.api.updateWorld({ body: { limits: false } });
    for (let i = 0; i < 12; i++) {
      expect(await profileOf(rider)).toMatchObject({ status: 200, limit: '5', remaining: '5', reset: NOW });
    }
    await home.api.resetWorld();
    expect((await home.api.getWorld()).data!.limits).toBe(true);
  });

  test('calls are not counted, so limits start from zero when they are turned on', async () => {
    const home = await makeWorld(server, { limits: false });
    const rider = await makePassenger(server, home);
    for (let i = 0; i < 6; i++) await profileOf(rider);
    await home.api.updateWorld({ body: { limits: true } });
    expect(await profileOf(rider)).toMatchObject({ status: 200, remaining: '4' });
  });
});

describe('all sandboxes of an application together', () => {
  const LEFT = 5;

  async function callIn(world: World, applicationId = 'demo') {
    const token = await server.newToken({ world, applicationId });
    const response = await rawCall(server.baseUrl, 'listRideTypes', { token, query: 'lat=37.7955&lng=-122.3937' });
    const told = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'retry-after'];
    return { ...(await rawAnswerOf(response)), told: told.map((name) => response.headers.get(name)) };
  }

  test('have a limit, even if their own limits are off, and no other calls count towards it', async () => {
    const worlds = [await server.newWorld(), await server.newWorld({ settings: UNLIMITED }), await server.newWorld()];
    const inTurn = (i: number, applicationId = 'busy') => callIn(worlds[i % worlds.length]!, applicationId);
    for (let i = 0; i < SANDBOX_LIMIT.limit - LEFT; i++) server.parts.countCall(SANDBOX_LIMIT, 'busy');

    for (let i = 0; i < LEFT; i++) expect((await inTurn(i)).status).toBe(200);
    for (let i = 0; i < worlds.length; i++) {
      const { told, ...answer } = await inTurn(i);
      expect(answer).toEqual(OVER);
      const { limit, windowSeconds } = SANDBOX_LIMIT;
      expect(told).toEqual([String(limit), '0', WINDOW_ENDS, String(windowSeconds)]);
    }
    expect((await callIn(LIVE, 'busy')).status).toBe(200);
    expect((await inTurn(0, 'another')).status).toBe(200);
    vi.setSystemTime(TUESDAY_MORNING + SANDBOX_LIMIT.windowSeconds * 1000);
    expect((await inTurn(0)).status).toBe(200);
  });
});
