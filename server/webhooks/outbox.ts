import type { Transaction } from 'kysely';
import { liveId } from '../domain/ids.ts';
import { eventsBetween } from '../domain/rides/events.ts';
import type { Ride } from '../domain/rides/ride.ts';
import type { World } from '../domain/worlds/clock.ts';
import type { Parts } from '../parts.ts';
import { findApplication } from '../store/applications.ts';
import { insertEvent } from '../store/events.ts';
import { knownPassenger } from '../store/passengers.ts';
import { saveRideChange } from '../store/ride-changes.ts';
import type { Database } from '../store/schema.ts';
import { eventBody } from './body.ts';

/**
 * Saves what became of a ride, and in the same transaction the events that tell its application of it, if that has a webhook URL.
 * Throws StaleVersion: see updateRide.
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
  if (events.length === 0 || !(await hasWebhook(tx, after.applicationId))) return saved;
  const passenger = await knownPassenger(tx, world.id, after.passengerId);
  const realNow = parts.now();
  for (const event of events) {
    // not from the world's counter: a receiver ignores an id that it has seen, and another sandbox of the same seed would repeat it
    const eventId = liveId(realNow, parts.randomBytes(16));
    const row = {
      eventId,
      worldId: world.id,
      rideId: after.id,
      applicationId: after.applicationId,
      type: event.type,
      occurredAt: event.at,
      environment: world.kind === 'live' ? 'production' : 'sandbox',
      body: await eventBody(parts, event, { eventId, ride: after, passenger }),
      createdAt: realNow,
    } as const;
    // not from when it occurs: of several that a frozen clock's one instant brings, only the first would be sent
    await insertEvent(tx, row, world, realNow, at);
  }
  return saved;
}

async function hasWebhook(tx: Transaction<Database>, applicationId: string): Promise<boolean> {
  const application = await findApplication(tx, applicationId);
  return application !== undefined && application.webhookUrl !== null;
}
