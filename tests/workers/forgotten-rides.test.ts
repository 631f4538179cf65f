import { describe, expect, test } from 'vitest';
import type { RideStatus } from '../../server/domain/rides/ride.ts';
import { DAY_MS, HOUR_MS } from '../../server/domain/time.ts';
import { busyDriverIds } from '../../server/store/rides.ts';
import { resumeWorld } from '../../server/workers/world-clock.ts';
import { holdRides } from '../support/change-ride.ts';
import { engines } from '../support/database.ts';
import { DOLORES_PARK, MISSION_DOLORES } from '../support/places.ts';
import { TUESDAY_MORNING } from '../support/server.ts';
import { testServer } from '../support/started.ts';
import { advanceUntil, type Riding, requestRideOf, startRiding, storedRide } from '../support/take-ride.ts';

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine);

  const seen = async ({ api, params }: Riding) => (await api.getRide({ params })).data;

  /** A ride that has just reached a status and does not move, in a sandbox whose clock runs. */
  async function restingIn(status: RideStatus): Promise<Riding> {
    // the same Tuesday and seed each time, so the server computes the cars once
    const world = await server.newWorld({ at: TUESDAY_MORNING, seed: 'forgotten' });
    const riding = await startRiding(server, { world });
    await advanceUntil(server, riding, status);
    await holdRides(server, riding.world);
    await resumeWorld(server.parts, riding.world);
    return riding;
  }

  test.each(['pending', 'accepted', 'arrived', 'pickedUp'] as const)(
    'a ride that is %s becomes unknown after 24 hours without a change, and its people are busy until then',
    async (status) => {
      const riding = await restingIn(status);
      const { lastEventAt, driver } = await storedRide(server, riding.world, riding.rideId);
      const drivers = driver === null ? [] : [driver.driverId];
      const busy = async () => [
        ...(await busyDriverIds(server.store.db, riding.world.id, Number.MAX_SAFE_INTEGER, drivers)),
      ];
      await server.pass(DAY_MS - 1);
      const before = await seen(riding);
      expect(before).toMatchObject({ status });
      expect(await busy()).toEqual(drivers);
      await expect(requestRideOf(riding)).rejects.toThrow('user_already_in_ride');

      await server.pass(1);
      const after = await seen(riding);
      expect(after).toMatchObject({ status: 'unknown', can_cancel: [] });
      // the ride keeps what was known about it
      for (const part of ['driver', 'pickup']) expect(Reflect.get(after!, part)).toEqual(Reflect.get(before!, part));
      const closed = await storedRide(server, riding.world, riding.rideId);
      expect(closed).toMatchObject({ lastEventAt: lastEventAt + DAY_MS, driver, payment: null, canceledAt: null });
      expect(await busy()).toEqual([]);
      await requestRideOf(riding);
    },
  );

  test.each([
    ['a change of destination restarts', MISSION_DOLORES, DAY_MS, MISSION_DOLORES],
    ['a refused change or a read does not restart', { lat: 0, lng: 0 }, HOUR_MS, DOLORES_PARK],
  ])('%s the 24 hours of a ride', async (_, sent, left, destination) => {
    const riding = await restingIn('accepted');
    await server.pass(23 * HOUR_MS);
    await riding.api.updateDestination({ params: riding.params, body: sent });
    await server.pass(left - 1);
    expect(await seen(riding)).toMatchObject({ status: 'accepted' });
    await server.pass(1);
    expect(await seen(riding)).toMatchObject({ status: 'unknown', destination });
  });
});
