import { describe, expect, test } from 'vitest';
import type { WorldRequest } from '../../generated/types.ts';
import { ACROSS_TOWN } from '../support/accepted-calls.ts';
import { answerOf, failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { FERRY_BUILDING } from '../support/places.ts';
import { FROZEN, type MadeWorld, makePassenger, makeWorld } from '../support/sandboxes.ts';
import { testReceiver, testServer } from '../support/started.ts';

const HISTORY = { params: { query: { start_time: '2026-01-01T00:00:00Z' } } };
const ROUNDS = 3;
const QUIET: WorldRequest = { seed: 'one seed', clock: FROZEN, auto_advance: true, limits: false };
const BUSY: WorldRequest = { seed: 'one seed', clock: { ...FROZEN, now: '2031-01-02T03:04:05Z' } };

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine);
  const receiver = testReceiver();

  async function open(begins: WorldRequest, path: string): Promise<MadeWorld> {
    const home = await makeWorld(server, begins);
    await home.api.setWebhooks({ body: { url: `${receiver.url}${path}` } });
    return home;
  }

  /** Takes one ride after another. Rides move by themselves. */
  async function quietSuite(home: MadeWorld): Promise<void> {
    const rider = await makePassenger(server, home, { email: 'ada@example.com' });
    for (let round = 1; round <= ROUNDS; round++) {
      const { data } = await rider.api.requestRide({ body: ACROSS_TOWN });
      await home.api.advanceClock({ body: { seconds: 7200 } });
      const params = { path: { ride_id: data!.ride_id } };
      expect((await rider.api.getRide({ params })).data!.status).toBe('droppedOff');
      expect((await rider.api.listRides(HISTORY)).data!.ride_history).toHaveLength(round);
      const { response } = await rider.api.getProfile();
      expect(response.headers.get('x-ratelimit-remaining')).toBe('5');
    }
  }

  /** Sets a high Prime Time, takes all drivers away, and exceeds the limit of getProfile. */
  async function busySuite(home: MadeWorld): Promise<void> {
    const { api } = home;
    await api.setPrimeTime({ body: { ...FERRY_BUILDING, primetime_percentage: '200%' } });
    const noDrivers = { ...FERRY_BUILDING, driver_availability: false };
    await api.setDriverAvailability({ params: { path: { ride_type: 'svc' } }, body: noDrivers });
    for (let round = 1; round <= ROUNDS; round++) {
      const rider = await makePassenger(server, home, { email: `ada${round === 1 ? '' : round}@example.com` });
      const { error } = await rider.api.requestRide({ body: ACROSS_TOWN });
      expect(['no_drivers_available', 'primetime_confirmation_required']).toContain(error?.error);
      expect((await api.getClock()).data).toEqual(home.world.clock);
      for (let i = 1; i <= 5; i++) {
        const { response } = await rider.api.getProfile();
        expect(response.headers.get('x-ratelimit-remaining')).toBe(String(5 - i));
      }
      expect(answerOf(await rider.api.getProfile())).toEqual(failure(429, 'rate_limit_exceeded'));
      expect((await rider.api.listRides(HISTORY)).data!.ride_history).toEqual([]);
    }
  }

  /** Ends the world. This must not affect the other worlds. */
  async function endOf({ api }: MadeWorld): Promise<void> {
    for (let i = 0; i < ROUNDS; i++) await api.resetWorld();
    await api.deleteWorld();
    expect(answerOf(await api.getWorld())).toEqual(failure(401, 'invalid_token'));
  }

  test('concurrent suites in worlds with the same seed do not affect each other', async () => {
    const quiet = await Promise.all([open(QUIET, '/quiet'), open(QUIET, '/quiet')]);
    const [busy, ending] = await Promise.all([open(BUSY, '/busy'), open(QUIET, '/ending')]);
    await Promise.all([...quiet.map(quietSuite), busySuite(busy), endOf(ending)]);
    expect(receiver.at('/quiet').length).toBeGreaterThanOrEqual(2 * ROUNDS * 4);
    expect(receiver.at('/busy')).toEqual([]);
    expect((await busy.api.listEvents()).data!.events).toEqual([]);
    for (const home of [...quiet, busy]) {
      expect((await home.api.getWorld()).data).toMatchObject({ ...home.world, clock: expect.anything() });
    }
  });
});
