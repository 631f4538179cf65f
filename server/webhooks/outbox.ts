import { OPERATIONS } from '../../generated/server.ts';
import type { WebhookEvent } from '../../generated/webhooks.ts';
import { type CallingApplication, webhookUrlIn } from '../domain/application.ts';
import { liveId, sandboxId } from '../domain/ids.ts';
import type { Passenger } from '../domain/passenger.ts';
import type { RideEvent } from '../domain/rides/events.ts';
import type { Ride } from '../domain/rides/ride.ts';
import { heldBackMs } from '../domain/webhooks/simulated-faults.ts';
import type { World } from '../domain/worlds/clock.ts';
import type { Parts } from '../parts.ts';
import { presentInstant } from '../present/instant.ts';
import { readRide } from '../present/read-ride.ts';
import { findApplication } from '../store/applications.ts';
import { countEvents, insertEvents } from '../store/events.ts';
import { flag } from '../store/flag.ts';
import { isSilent } from '../store/rides.ts';
import type { Tx } from '../store/schema.ts';
import type { HeldWorld } from '../store/worlds.ts';
import { checkEvent } from './validate.ts';

export type Outbox = EventWriter & Pick<Parts, 'now' | 'randomBytes'>;

export interface RideChange {
  /** World time of the change. */
  readonly at: number;
  readonly passenger: Passenger;
  /** The application whose call makes the change; absent if a timer makes it. */
  readonly application?: CallingApplication;
}

/** An event, and the ride immediately after it. */
interface Occurrence {
  readonly event: RideEvent;
  readonly ride: Ride;
}

/**
 * Adds a ride's events in the transaction that saves the change. Adds no events if the application is deleted, or if the
 * passenger has revoked its access. Without a webhook URL, they are not sent. All events are due at the time of the
 * change, even if they occur slightly later: on a frozen clock, those would never be sent.
 */
export async function addEvents(
  parts: Outbox,
  tx: Tx,
  world: HeldWorld,
  occurrences: readonly Occurrence[],
  change: RideChange,
): Promise<void> {
  const ride = occurrences.at(-1)?.ride;
  if (ride === undefined) return;
  const application = await applicationOf(tx, ride, change);
  // a ride requested before is of a deleted application with the same ID, which another developer can have owned
  if (application === undefined || (world.kind === 'live' && application.createdAt > ride.requestedAt)) return;
  // this transaction holds the ride's lock, so the ride cannot become silent in the meantime
  if (world.kind === 'live' && (await isSilent(tx, ride))) return;
  const { webhooks } = world.settings;
  const hadUrl = flag(webhookUrlIn(world, application) !== null);
  const earlier = webhooks.reorder ? await countEvents(tx, world.id, ride.id) : 0;
  const realNow = parts.now();
  const events = occurrences.map(({ event, ride }, i) => {
    const eventId = world.kind === 'live' ? liveId(realNow, parts.randomBytes(16)) : sandboxEventId(world, ride, event);
    const row = {
      eventId,
      worldId: world.id,
      rideId: ride.id,
      applicationId: ride.applicationId,
      type: event.type,
      occurredAt: event.at,
      environment: world.kind === 'live' ? 'production' : 'sandbox',
      body: eventBody(parts, event, { eventId, ride, passenger: change.passenger }),
      createdAt: realNow,
      hadUrl,
    } as const;
    return { event: row, dueAt: change.at + heldBackMs(webhooks, earlier + i) };
  });
  await insertEvents(tx, world, realNow, events);
}

/**
 * Derived from the world's ID, not from its seed: receivers ignore known event IDs, so worlds with the same seed must
 * not share them, and a reset world needs new ones.
 */
function sandboxEventId({ id, resets }: World, ride: Ride, { type, at }: RideEvent): string {
  return sandboxId(id, 'event', resets, ride.id, type, at);
}

async function applicationOf(tx: Tx, { applicationId }: Ride, { application: caller }: RideChange) {
  return caller?.id === applicationId ? caller : findApplication(tx, applicationId);
}

type EventWriter = Pick<Parts, 'geography' | 'priceTokens' | 'publicUrl' | 'contractBreach' | 'logger'>;

interface EventSubject {
  readonly eventId: string;
  /** The ride after the change. */
  readonly ride: Ride;
  readonly passenger: Passenger;
}

/** The ride as getRide shows it at the time of the event, as JSON. For one that is invalid, see `contractBreach`. */
function eventBody(parts: EventWriter, event: RideEvent, { eventId, ride, passenger }: EventSubject): string {
  const { applicationId } = ride;
  const body = {
    event_id: eventId,
    href: parts.publicUrl + OPERATIONS.getRide.path.replace('{ride_id}', encodeURIComponent(ride.id)),
    occurred_at: presentInstant(event.at),
    event_type: event.type,
    event: readRide(parts, ride, { applicationId, passenger, at: event.at }),
  } satisfies Record<keyof WebhookEvent, unknown>;
  checkEvent(parts, body);
  return JSON.stringify(body);
}
