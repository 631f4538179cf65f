import type { Transaction } from 'kysely';
import { liveId, sandboxId } from '../domain/ids.ts';
import { eventsBetween, type RideEvent } from '../domain/rides/events.ts';
import type { Ride } from '../domain/rides/ride.ts';
import { heldBackMs } from '../domain/webhooks/faults.ts';
import type { World } from '../domain/worlds/clock.ts';
import type { Parts } from '../parts.ts';
import { findApplication } from '../store/applications.ts';
import { countEvents, insertEvent } from '../store/events.ts';
import { knownPassenger } from '../store/passengers.ts';
import { saveRideChange } from '../store/ride-changes.ts';
import type { Database } from '../store/schema.ts';
import { eventBody } from './body.ts';

/**
 * Saves what became of a ride, and in the same transaction the events that tell its application of it, if that or the world has a
 * webhook URL. Throws StaleVersion: see updateRide.
 *
 * @param change.at the world's instant of the change, from which its events are due, also those that occur a little later
 * @returns the ride as it is now stored
 */
export async function saveChange(
  parts: Parts,
  tx: Transaction<Database>,
  before: Ride,
  after: Ride,
  { world, at }: { readonly world: World; readonly at: number },
): Promise<Ride> {
  const saved = await saveRideChange(tx, before, after, { world, speed: parts.simulationSpeed, at });
  const events = eventsBetween(before, after);
  if (events.length === 0 || !(await hasWebhook(tx, world, after.applicationId))) return saved;
  const { webhooks } = world.settings;
  const earlier = webhooks.reorder ? await countEvents(tx, world.id, after.id) : 0;
  const passenger = await knownPassenger(tx, world.id, after.passengerId);
  const realNow = parts.now();
  for (const [i, event] of events.entries()) {
    const eventId =
      world.kind === 'live' ? liveId(realNow, parts.randomBytes(16)) : sandboxEventId(world, after, event);
    const row = {
      eventId,
      worldId: world.id,
      rideId: after.id,
      applicationId: after.applicationId,
      type: event.type,
      occurredAt: event.at,
      environment: world.kind === 'live' ? 'production' : 'sandbox',
      body: eventBody(parts, event, { eventId, ride: after, passenger }),
      createdAt: realNow,
    } as const;
    // not from when it occurs: of several that a frozen clock's one instant brings, only the first would be sent
    await insertEvent(tx, row, world, realNow, at + heldBackMs(webhooks, earlier + i));
  }
  return saved;
}

/** From the world, not its seed: a receiver ignores an id that it has seen, and worlds of one seed, or one that is reset, send it others. */
function sandboxEventId({ id, resets }: World, ride: Ride, { type, at }: RideEvent): string {
  return sandboxId(id, 'event', resets, ride.id, type, at);
}

async function hasWebhook(tx: Transaction<Database>, world: World, applicationId: string): Promise<boolean> {
  if (world.settings.webhooks.url !== null) return true;
  const application = await findApplication(tx, applicationId);
  return application !== undefined && application.webhookUrl !== null;
}
