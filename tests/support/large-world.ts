import type { World } from '../../server/domain/worlds/clock.ts';
import { insertRide } from '../../server/store/rides.ts';
import { insertAccessToken, insertRefreshToken } from '../../server/store/tokens.ts';
import { accessToken, canceledRide, insertEvent, refreshToken, webhookEvent } from '../store/samples.ts';
import type { TestServer } from './server.ts';

const EVENTS_OF_A_RIDE = 3;
const ATTEMPTS_OF_AN_EVENT = 4;

/** Gives a sandbox rides with passengers, tokens, timers, and events that were attempted. */
export async function fillWithRides(server: TestServer, world: World, rides: number): Promise<void> {
  const { store, parts } = server;
  const at = parts.now();
  for (let n = 0; n < rides; n++) {
    const { id: passengerId } = await server.newPassenger(world);
    const id = `${world.id}-ride-${n}`;
    const ids = { worldId: world.id, applicationId: 'demo' };
    await store.transaction(async (tx) => {
      await insertRide(tx, canceledRide({ ...ids, id, passengerId, requestedAt: at }));
      const timer = { worldId: world.id, kind: 'ride', subjectId: id, dueAt: at + 1000, realDueAt: null };
      await tx
        .insertInto('timers')
        .values({ ...timer, leaseUntil: null })
        .execute();
      await insertAccessToken(tx, accessToken({ ...ids, passengerId, tokenHash: `access ${id}` }));
      await insertRefreshToken(tx, refreshToken({ ...ids, passengerId, tokenHash: `refresh ${id}` }));
      for (let k = 0; k < EVENTS_OF_A_RIDE; k++) {
        const eventId = `${id}-event-${k}`;
        await insertEvent(tx, webhookEvent({ ...ids, rideId: id, eventId, environment: 'sandbox' }), world, at);
        const attempts = Array.from({ length: ATTEMPTS_OF_AN_EVENT }, (_, i) => {
          return { eventId, number: i + 1, startedAt: at, durationMs: 5, status: 500, answer: '', error: null };
        });
        await tx.insertInto('attempts').values(attempts).execute();
      }
      await tx
        .updateTable('deliveries')
        .set({ status: 'given_up', attempts: ATTEMPTS_OF_AN_EVENT })
        .where('worldId', '=', world.id)
        .execute();
    });
  }
}
