import { describe, expect, test } from 'vitest';
import { holdOwnRide } from '../../server/rides/load.ts';
import { engines } from '../support/database.ts';
import { testServer } from '../support/started.ts';
import { startRiding } from '../support/take-ride.ts';

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine);

  test('a ride comes with the passenger that the call read, or with the current one if the world was reset', async () => {
    const { world, passenger, rideId } = await startRiding(server);
    const asRead = { ...passenger, hasTakenARide: true };
    const passengerOf = async (resets: number) => {
      const rider = { world: { ...world, resets }, passenger: asRead };
      return (await server.store.transaction((tx) => holdOwnRide(tx, rider, rideId))).passenger;
    };
    expect(await passengerOf(world.resets)).toEqual(asRead);
    expect(await passengerOf(world.resets - 1)).toEqual(passenger);
  });
});
