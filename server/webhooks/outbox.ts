import type { Transaction } from 'kysely';
import { liveId, sandboxId } from '../domain/ids.ts';
import type { RideEvent } from '../domain/rides/events.ts';
import type { Ride } from '../domain/rides/ride.ts';
import { heldBackMs } from '../domain/webhooks/faults.ts';
import type { World } from '../domain/worlds/clock.ts';
import type { Parts } from '../parts.ts';
import { findApplication } from '../store/applications.ts';
import { countEvents, insertEvent } from '../store/events.ts';
import { knownPassenger } from '../store/passengers.ts';
import type { Database } from '../store/schema.ts';
import { type EventWriter, eventBody } from './body.ts';

/** What events are added with. */
export type Outbox = EventWriter & Pick<Parts, 'now' | 'randomBytes'>;

/**
 * Adds the events of a ride's change, in the transaction that saves it, if the ride's application or its world has a webhook URL.
 *
 * @param change.at the world's instant of the change. Its events are due from then on, also those that occur a little later.
 */
export async function addEvents(
  parts: Outbox,
  tx: Transaction<Database>,
  ride: Ride,
  events: readonly RideEvent[],
  { world, at }: { readonly world: World; readonly at: number },
): Promise<void> {
  if (events.length === 0 || !(await hasWebhook(tx, world, ride.applicationId))) return;
  const { webhooks } = world.settings;
  const earlier = webhooks.reorder ? await countEvents(tx, world.id, ride.id) : 0;
  const passenger = await knownPassenger(tx, world.id, ride.passengerId);
  const realNow = parts.now();
  for (const [i, event] of events.entries()) {
    const eventId = world.kind === 'live' ? liveId(realNow, parts.randomBytes(16)) : sandboxEventId(world, ride, event);
    const row = {
      eventId,
      worldId: world.id,
      rideId: ride.id,
      applicationId: ride.applicationId,
      type: event.type,
      occurredAt: event.at,
      environment: world.kind === 'live' ? 'production' : 'sandbox',
      body: eventBody(parts, event, { eventId, ride, passenger }),
      createdAt: realNow,
    } as const;
    // due at the change: on a frozen clock, what is due when it occurs would never be sent
    await insertEvent(tx, row, world, realNow, at + heldBackMs(webhooks, earlier + i));
  }
}

/** Not from the seed alone: receivers ignore an id that they have seen, and worlds of one seed, or a reset one, must send other ids. */
function sandboxEventId({ id, resets }: World, ride: Ride, { type, at }: RideEvent): string {
  return sandboxId(id, 'event', resets, ride.id, type, at);
}

async function hasWebhook(tx: Transaction<Database>, world: World, applicationId: string): Promise<boolean> {
  if (world.settings.webhooks.url !== null) return true;
  const application = await findApplication(tx, applicationId);
  return application !== undefined && application.webhookUrl !== null;
}
