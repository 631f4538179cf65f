import { describe, expect, test } from 'vitest';
import type { RideStatus } from '../../server/domain/rides/ride.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../server/domain/time.ts';
import { busyDriverIds } from '../../server/store/rides.ts';
import { nextRealDue } from '../../server/store/timers.ts';
import { resumeWorld } from '../../server/workers/world-clock.ts';
import { changeRide, holdRides } from '../support/change-ride.ts';
import { engines } from '../support/database.ts';
import { MISSION_DOLORES } from '../support/places.ts';
import { LIVE, startTestServer, type TestServer, TUESDAY_MORNING } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { advanceUntil, type Riding, requestRideOf, startRiding, storedRide } from '../support/take-ride.ts';

/** So slow that a trip across the city takes more than a day, and the first driver is found within five minutes. */
const SLOW = 0.007;

describe.each(engines)('on %s', (engine) => {
  const server = sharedServer(engine);

  const seen = async ({ api, params }: Riding) => (await api.getRide({ params })).data;

  /** Lets real time pass, and what falls due happen. */
  async function pass({ passTime, runTimers }: TestServer, ms: number): Promise<void> {
    passTime(ms);
    await runTimers();
  }

  /** A ride that has just got a status, and now rests in a sandbox whose time runs. */
  async function restingIn(status: RideStatus): Promise<Riding> {
    // a Tuesday each time, and one seed: cars that need to be thought of once
    const world = await server.newWorld({ at: TUESDAY_MORNING, seed: 'forgotten' });
    const riding = await startRiding(server, { world });
    await advanceUntil(server, riding, status);
    await holdRides(server, riding.world);
    await resumeWorld(server.parts, riding.world.id);
    return riding;
  }

  test.each(['pending', 'accepted', 'arrived', 'pickedUp'] as const)(
    'a ride that is %s is closed as unknown when nothing happened to it for 24 hours, and holds its people until then',
    async (status) => {
      const riding = await restingIn(status);
      const { lastEventAt, driver } = await storedRide(server, riding.world, riding.rideId);
      const busy = async () => [...(await busyDriverIds(server.store.db, riding.world.id, Number.MAX_SAFE_INTEGER))];
      await pass(server, DAY_MS - 1);
      expect(await seen(riding)).toMatchObject({ status });
      expect(await busy()).toEqual(driver === null ? [] : [driver.driverId]);
      await expect(requestRideOf(riding)).rejects.toThrow('user_already_in_ride');

      await pass(server, 1);
      expect(await seen(riding)).toMatchObject({ status: 'unknown', can_cancel: [] });
      const closed = await storedRide(server, riding.world, riding.rideId);
      expect(closed).toMatchObject({ lastEventAt: lastEventAt + DAY_MS, driver, payment: null, canceledAt: null });
      expect(await busy()).toEqual([]);
      await requestRideOf(riding);
    },
  );

  test('a change of destination is something that happens', async () => {
    const riding = await restingIn('accepted');
    await pass(server, 23 * HOUR_MS);
    await riding.api.updateDestination({ params: riding.params, body: MISSION_DOLORES });
    await pass(server, DAY_MS - 1);
    expect(await seen(riding)).toMatchObject({ status: 'accepted' });
    await pass(server, 1);
    expect(await seen(riding)).toMatchObject({ status: 'unknown', destination: MISSION_DOLORES });
  });

  test('a change that is refused is not, nor is looking at the ride', async () => {
    const riding = await restingIn('accepted');
    await pass(server, 23 * HOUR_MS);
    await riding.api.updateDestination({ params: riding.params, body: { lat: 0, lng: 0 } });
    await pass(server, HOUR_MS - 1);
    expect(await seen(riding)).toMatchObject({ status: 'accepted' });
    await pass(server, 1);
    expect(await seen(riding)).toMatchObject({ status: 'unknown' });
  });

  test('a live ride is closed as well, with what was known of it', async () => {
    const slow = await startTestServer(engine, { simulationSpeed: SLOW, startsAt: TUESDAY_MORNING - 6 * HOUR_MS });
    try {
      const riding = await startRiding(slow, { world: LIVE });
      await pass(slow, Math.round((2 * SECOND_MS) / SLOW));
      await changeRide(slow, riding, (ride) => ({ ...ride, plan: { ...ride.plan!, driverCancelsAt: null } }));
      while ((await seen(riding))!.status !== 'pickedUp') {
        await pass(slow, (await nextRealDue(slow.store.db))! - slow.parts.now());
      }
      await pass(slow, DAY_MS - 1);
      const before = await seen(riding);
      expect(before!.status).toBe('pickedUp');
      await pass(slow, 1);
      const { driver, pickup } = before as Extract<typeof before, { status: 'pickedUp' }>;
      expect(await seen(riding)).toMatchObject({ status: 'unknown', driver, pickup });
      await pass(slow, 10 * MINUTE_MS);
      await requestRideOf(riding);
    } finally {
      await slow.close();
    }
  });
});
