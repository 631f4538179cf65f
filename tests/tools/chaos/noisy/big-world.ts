import { saveNewRide } from '../../../../server/rides/save.ts';
import type { Store } from '../../../../server/store/engine/open.ts';
import { insertEvents } from '../../../../server/store/events.ts';
import { insertPassengerIfAbsent } from '../../../../server/store/passengers.ts';
import { insertRide } from '../../../../server/store/rides.ts';
import { findWorld, holdWorld } from '../../../../server/store/worlds.ts';
import { canceledRide, passenger, ride, webhookEvent } from '../../../store/samples.ts';
import { NOISY } from './tenants.ts';

const AT_ONCE = 500;

/** Adds this many pending rides to a world, each with its passenger and its timer. */
export async function addRides(store: Store, worldId: string, count: number): Promise<void> {
  const found = await findWorld(store.db, worldId);
  const at = found!.clock.worldAnchor;
  for (let from = 0; from < count; from += AT_ONCE) {
    await store.transaction(async (tx) => {
      const world = await holdWorld(tx, found!);
      for (let i = from; i < Math.min(count, from + AT_ONCE); i++) {
        const id = `${worldId}-${i}`;
        await insertPassengerIfAbsent(tx, passenger({ worldId, id, email: `${id}@example.com`, createdAt: at }));
        const of = { worldId, id, applicationId: NOISY.id, passengerId: id };
        const pending = ride({ ...of, requestedAt: at, lastEventAt: at });
        await saveNewRide({ simulationSpeed: 60 }, tx, world, pending, { at });
      }
    });
  }
}

export interface EventsToAdd {
  readonly count: number;
  /** World time at which an event is due. */
  readonly dueAt: (index: number) => number;
  readonly environment?: 'production' | 'sandbox';
  readonly body?: (eventId: string, index: number) => string;
}

/** Adds this many pending events to a world, each with its own ride. @returns their ids */
export async function addEvents(
  store: Store,
  worldId: string,
  { count, dueAt, environment = 'sandbox', body = (eventId) => JSON.stringify({ event_id: eventId }) }: EventsToAdd,
): Promise<string[]> {
  const found = (await findWorld(store.db, worldId))!;
  const now = Date.now();
  const ids = Array.from({ length: count }, (_, index) => `${worldId}-event-${index}`);
  for (let from = 0; from < count; from += AT_ONCE) {
    await store.transaction(async (tx) => {
      const world = await holdWorld(tx, found);
      for (const [offset, eventId] of ids.slice(from, from + AT_ONCE).entries()) {
        const rideId = `ride-of-${eventId}`;
        const of = { worldId, applicationId: NOISY.id };
        await insertRide(tx, canceledRide({ ...of, id: rideId, passengerId: rideId, requestedAt: now }));
        const named = { ...of, eventId, rideId, environment, body: body(eventId, from + offset) };
        const event = webhookEvent({ ...named, occurredAt: now, createdAt: now });
        await insertEvents(tx, world, now, [{ event, dueAt: dueAt(from + offset) }]);
      }
    });
  }
  return ids;
}
