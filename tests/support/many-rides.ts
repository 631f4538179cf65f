import { insertPassengerIfAbsent } from '../../server/store/passengers.ts';
import { findRide, insertRide } from '../../server/store/rides.ts';
import { dueInWorld, setTimers } from '../../server/store/timers.ts';
import { holdWorld } from '../../server/store/worlds.ts';
import type { TestServer } from './server.ts';
import { type Riding, startRiding } from './take-ride.ts';

/** Rides of a frozen world that all close after 24 hours, one step each: copies of one, with passengers and timers. */
export async function waitingRides(server: TestServer, count: number): Promise<Riding> {
  const riding = await startRiding(server, { world: await server.newWorld({ autoAdvance: false }) });
  const { world, rideId, passenger } = riding;
  const ids = Array.from({ length: count - 1 }, (_, i) => `${rideId}-${String(i).padStart(5, '0')}`);
  await server.store.transaction(async (tx) => {
    const held = await holdWorld(tx, world);
    const ride = (await findRide(tx, world.id, rideId))!;
    const timer = (await dueInWorld(tx, world.id, Number.MAX_SAFE_INTEGER))!;
    for (const id of ids) {
      const passengerId = `${passenger.id} of ${id}`;
      await insertPassengerIfAbsent(tx, { ...passenger, id: passengerId, email: `${id}@example.com` });
      await insertRide(tx, { ...ride, id, passengerId });
    }
    const timers = ids.map((subjectId) => ({ ...timer, subjectId }));
    await setTimers(tx, held, timers);
  });
  return riding;
}

/** The number of rides of a world in each status. */
export async function statusesIn({ store }: TestServer, { world }: Riding): Promise<Record<string, number>> {
  const rides = store.db.selectFrom('rides').where('worldId', '=', world.id);
  const rows = await rides
    .select(['status', (row) => row.fn.countAll<number>().as('count')])
    .groupBy('status')
    .execute();
  return Object.fromEntries(rows.map(({ status, count }) => [status, Number(count)]));
}
