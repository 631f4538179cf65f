import { describe, expect, test } from 'vitest';
import type { WorldRequest } from '../../generated/types.ts';
import { ACROSS_TOWN } from '../support/accepted-calls.ts';
import { answerOf, failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { FERRY_BUILDING } from '../support/places.ts';
import { FROZEN, type MadeWorld, makePassenger, makeWorld } from '../support/sandboxes.ts';
import { testReceiver, testServer } from '../support/started.ts';

const HERE = { params: { query: FERRY_BUILDING } };
const HISTORY = { params: { query: { start_time: '2026-01-01T00:00:00Z' } } };
const ROUNDS = 3;

/** What is different in two worlds of one seed. */
interface Suite {
  readonly begins: WorldRequest;
  readonly primeTime: string;
  readonly hasDrivers: boolean;
  readonly path: string;
}

const QUIET: Suite = {
  begins: { seed: 'one seed', clock: FROZEN, auto_advance: true, limits: false },
  primeTime: '0%',
  hasDrivers: true,
  path: '/quiet',
};
const BUSY: Suite = {
  begins: { seed: 'one seed', clock: { ...FROZEN, now: '2031-01-02T03:04:05Z' }, auto_advance: false, limits: true },
  primeTime: '200%',
  hasDrivers: false,
  path: '/busy',
};

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine);
  const receiver = testReceiver();

  async function open(suite: Suite): Promise<MadeWorld> {
    const home = await makeWorld(server, suite.begins);
    const { api } = home;
    await api.setWebhooks({ body: { url: `${receiver.url}${suite.path}` } });
    await api.setPrimeTime({ body: { ...FERRY_BUILDING, primetime_percentage: suite.primeTime } });
    await api.setDriverAvailability({
      params: { path: { ride_type: 'svc' } },
      body: { ...FERRY_BUILDING, driver_availability: suite.hasDrivers },
    });
    return home;
  }

  /** Rides are taken, one after the other, and come to their end by themselves. */
  async function quietSuite(home: MadeWorld): Promise<void> {
    const rider = await makePassenger(server, home, { email: 'ada@example.com' });
    for (let round = 1; round <= ROUNDS; round++) {
      expect((await home.api.listDrivers(HERE)).data!.nearby_drivers.length).toBeGreaterThan(0);
      const { data, response } = await rider.api.requestRide({ body: ACROSS_TOWN });
      expect(response.status).toBe(201);
      await home.api.advanceClock({ body: { seconds: 7200 } });
      const params = { path: { ride_id: data!.ride_id } };
      expect((await rider.api.getRide({ params })).data!.status).toBe('droppedOff');
      expect((await rider.api.listRides(HISTORY)).data!.ride_history).toHaveLength(round);
      const limits = await rider.api.getProfile();
      expect(limits.response.headers.get('x-ratelimit-remaining')).toBe('5');
    }
  }

  /** Nobody is there to take a ride; every sixth profile is too many. */
  async function busySuite(home: MadeWorld): Promise<void> {
    for (let round = 1; round <= ROUNDS; round++) {
      const rider = await makePassenger(server, home, { email: `ada${round === 1 ? '' : round}@example.com` });
      const { error } = await rider.api.requestRide({ body: ACROSS_TOWN });
      expect(['no_drivers_available', 'primetime_confirmation_required']).toContain(error?.error);
      expect((await home.api.getClock()).data).toEqual(home.world.clock);
      for (let i = 1; i <= 5; i++) {
        const { response } = await rider.api.getProfile();
        expect(response.headers.get('x-ratelimit-remaining')).toBe(String(5 - i));
      }
      expect(answerOf(await rider.api.getProfile())).toEqual(failure(429, 'rate_limit_exceeded'));
      expect((await rider.api.listRides(HISTORY)).data!.ride_history).toEqual([]);
    }
  }

  test('suites in two worlds of one seed run at once as if each were alone', async () => {
    const [quiet, busy] = await Promise.all([open(QUIET), open(BUSY)]);
    await Promise.all([quietSuite(quiet), busySuite(busy), quietSuite(await open(QUIET))]);
    expect(receiver.at(QUIET.path).length).toBeGreaterThanOrEqual(2 * ROUNDS * 4);
    expect(receiver.at(BUSY.path)).toEqual([]);
    expect((await busy.api.listEvents()).data!.events).toEqual([]);
    for (const [home, { begins }] of [[quiet, QUIET] as const, [busy, BUSY] as const]) {
      expect((await home.api.getWorld()).data).toMatchObject({ ...begins, clock: expect.anything() });
    }
  });

  test('ending one world is not felt in another', async () => {
    const [ending, staying] = await Promise.all([open(QUIET), open(QUIET)]);
    const end = async () => {
      for (let i = 0; i < 3; i++) await ending.api.resetWorld();
      await ending.api.deleteWorld();
    };
    await Promise.all([quietSuite(staying), end()]);
    expect(answerOf(await ending.api.getWorld())).toEqual(failure(401, 'invalid_token'));
  });
});
