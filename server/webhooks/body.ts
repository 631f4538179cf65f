import { OPERATIONS } from '../../generated/server.ts';
import type { WebhookEvent } from '../../generated/webhooks.ts';
import type { Passenger } from '../domain/passenger.ts';
import type { RideEvent } from '../domain/rides/events.ts';
import type { Ride } from '../domain/rides/ride.ts';
import type { Parts } from '../parts.ts';
import { presentInstant } from '../present/instant.ts';
import { readRide } from '../present/read-ride.ts';
import { checkEvent } from './validate.ts';

export type EventWriter = Pick<Parts, 'geography' | 'priceTokens' | 'publicUrl' | 'contractBreach' | 'logger'>;

export interface EventSubject {
  readonly eventId: string;
  /** The ride after the change. */
  readonly ride: Ride;
  readonly passenger: Passenger;
}

/**
 * An event's body as JSON text, the same for every attempt. It shows the ride as getRide does at the time of the event.
 * When the body violates the contract, throws an Error or logs one: see `contractBreach`.
 */
export function eventBody(parts: EventWriter, event: RideEvent, { eventId, ride, passenger }: EventSubject): string {
  const { applicationId } = ride;
  const body = {
    event_id: eventId,
    href: hrefOf(parts.publicUrl, ride),
    occurred_at: presentInstant(event.at),
    event_type: event.type,
    event: readRide(parts, ride, { applicationId, passenger, at: event.at }),
  } satisfies Record<keyof WebhookEvent, unknown>;
  checkEvent(parts, body);
  return JSON.stringify(body);
}

function hrefOf(publicUrl: string, { id }: Ride): string {
  return publicUrl + OPERATIONS.getRide.path.replace('{ride_id}', encodeURIComponent(id));
}
