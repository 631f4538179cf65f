import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WorldRequest } from '../../generated/types.ts';
import { answerOf, failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { DOLORES_PARK, FERRY_BUILDING } from '../support/places.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { type MadeWorld, makePassenger, makeWorld } from '../support/sandboxes.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const ACROSS_TOWN = { origin: FERRY_BUILDING, destination: DOLORES_PARK, ride_type: 'svc' };
const HERE = { params: { query: FERRY_BUILDING } };
const ROUNDS = 3;

/** What is different in two worlds of one seed. */
interface Suite {
  readonly begins: WorldRequest;
  readonly primeTime: string;
  readonly hasDrivers: boolean;
  readonly path: string;
}

const QUIET: Suite = {
  begins: {
    seed: 'one seed',
    clock: { state: 'frozen', now: '2026-05-12T18:00:00Z' },
    auto_advance: true,
    limits: false,
  },
  primeTime: '0%',
  hasDrivers: true,
  path: '/quiet',
};
const BUSY: Suite = {
  begins: {
    seed: 'one seed',
    clock: { state: 'frozen', now: '2031-01-02T03:04:05Z' },
    auto_advance: false,
    limits: true,
  },
  primeTime: '200%',
  hasDrivers: false,
  path: '/busy',
};

describe.each(engines)('on %s', (engine) => {
  let server: TestServer;
  let receiver: Receiver;
  beforeAll(async () => {
    server = await startTestServer(engine);
    receiver = await startReceiver();
  });
  afterAll(async () => {
    await receiver.close();
    await server.close();
  });

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
      const { data: history } = await rider.api.listRides({
        params: { query: { start_time: '2026-01-01T00:00:00Z' } },
      });
      expect(history!.ride_history).toHaveLength(round);
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
      const { data } = await rider.api.listRides({ params: { query: { start_time: '2026-01-01T00:00:00Z' } } });
      expect(data!.ride_history).toEqual([]);
    }
  }

  test('suites in two worlds of one seed run at once as if each were alone', async () => {
    const [quiet, busy] = await Promise.all([open(QUIET), open(BUSY)]);
    await Promise.all([quietSuite(quiet), busySuite(busy), quietSuite(await open(QUIET))]);
    expect(receiver.at(QUIET.path).length).toBeGreaterThanOrEqual(2 * ROUNDS * 4);
    expect(receiver.at(BUSY.path)).toEqual([]);
    expect((await busy.api.listEvents()).data!.events).toEqual([]);
    expect((await quiet.api.getWorld()).data).toMatchObject({ seed: 'one seed', auto_advance: true, limits: false });
    expect((await busy.api.getWorld()).data).toMatchObject({ seed: 'one seed', auto_advance: false, limits: true });
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
