import type { Ride } from '../../server/domain/rides/ride.ts';
import type { World } from '../../server/domain/worlds/clock.ts';
import { saveChange } from '../../server/rides/save.ts';
import { flag } from '../../server/store/flag.ts';
import { knownPassenger } from '../../server/store/passengers.ts';
import { holdWorld } from '../../server/store/worlds.ts';
import type { TestServer } from './server.ts';
import { type Riding, storedRide } from './take-ride.ts';

/** Makes a change to a stored ride that no operation makes. */
export async function changeRide(
  server: TestServer,
  { world, rideId }: Pick<Riding, 'world' | 'rideId'>,
  change: (ride: Ride) => Ride,
): Promise<void> {
  const ride = await storedRide(server, world, rideId);
  await server.store.transaction(async (tx) => {
    const passenger = await knownPassenger(tx, world.id, ride.passengerId);
    const held = await holdWorld(tx, world);
    await saveChange(server.parts, tx, held, ride, [change(ride)], { at: ride.lastEventAt, passenger });
  });
}

/** Stops the rides of a sandbox from moving on by themselves. */
export async function holdRides({ store }: TestServer, { id }: World): Promise<void> {
  await store.db
    .updateTable('worlds')
    .set({ autoAdvance: flag(false) })
    .where('id', '=', id)
    .execute();
}
