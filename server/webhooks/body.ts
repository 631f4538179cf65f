import { OPERATIONS } from '../../generated/server.ts';
import type { WebhookEvent } from '../../generated/webhooks.ts';
import type { Passenger } from '../domain/passengers/passenger.ts';
import type { RideEvent } from '../domain/rides/events.ts';
import type { Ride } from '../domain/rides/ride.ts';
import type { Parts } from '../parts.ts';
import { presentInstant } from '../present/instant.ts';
import { readRide } from '../present/read-ride.ts';
import { checkEvent } from './validate.ts';

/** What an event tells of. */
export interface Told {
  readonly eventId: string;
  /** The ride as it is after the change. */
  readonly ride: Ride;
  readonly passenger: Passenger;
}

/**
 * The body of an event, as every attempt sends it: JSON text, the ride in it as getRide would have answered the ride's own
 * application and passenger at the event's instant. Throws an Error, or logs one, when it breaks the contract: see `contractBreach`.
 */
export function eventBody(parts: Parts, event: RideEvent, { eventId, ride, passenger }: Told): string {
  const { applicationId } = ride;
  const body = {
    event_id: eventId,
    href: hrefOf(parts, ride),
    occurred_at: presentInstant(event.at),
    event_type: event.type,
    event: readRide(parts, ride, { applicationId, passenger, at: event.at }),
  } satisfies Record<keyof WebhookEvent, unknown>;
  checkEvent(parts, body);
  return JSON.stringify(body);
}

function hrefOf({ publicUrl }: Parts, { id }: Ride): string {
  return publicUrl + OPERATIONS.getRide.path.replace('{ride_id}', encodeURIComponent(id));
}
