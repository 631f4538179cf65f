import type { TestServer } from './server.ts';
import { type Riding, startRiding } from './take-ride.ts';

const ROWS_AT_ONCE = 100;

/** Rides of a frozen world that all close after 24 hours, one step each. */
export async function waitingRides(server: TestServer, count: number): Promise<Riding> {
  const riding = await startRiding(server, { world: await server.newWorld({ autoAdvance: false }) });
  await copyRide(server, riding, count - 1);
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

/** Copies a ride with its passenger and its timer. */
async function copyRide({ store }: TestServer, riding: Riding, count: number): Promise<void> {
  const { world, rideId, passenger } = riding;
  const named = (id: string) =>
    store.db.selectFrom('rides').selectAll().where('worldId', '=', world.id).where('id', '=', id);
  const ride = await named(rideId).executeTakeFirstOrThrow();
  const person = await store.db
    .selectFrom('passengers')
    .selectAll()
    .where('worldId', '=', world.id)
    .where('id', '=', passenger.id)
    .executeTakeFirstOrThrow();
  const timer = await store.db
    .selectFrom('timers')
    .selectAll()
    .where('worldId', '=', world.id)
    .where('subjectId', '=', rideId)
    .executeTakeFirstOrThrow();
  const ids = Array.from({ length: count }, (_, i) => `${rideId}-${String(i).padStart(5, '0')}`);
  for (let i = 0; i < ids.length; i += ROWS_AT_ONCE) {
    const some = ids.slice(i, i + ROWS_AT_ONCE).map((id) => ({ id, passengerId: `${passenger.id} of ${id}` }));
    await store.transaction(async (tx) => {
      const people = some.map((one) => ({ ...person, id: one.passengerId, email: `${one.id}@example.com` }));
      await tx.insertInto('passengers').values(people).execute();
      const rides = some.map((one) => {
        return { ...ride, ...one, document: JSON.stringify({ ...JSON.parse(ride.document), ...one }) };
      });
      await tx.insertInto('rides').values(rides).execute();
      await tx
        .insertInto('timers')
        .values(some.map(({ id }) => ({ ...timer, subjectId: id })))
        .execute();
    });
  }
}
