import type { EventType, WebhookEvent } from '../../generated/webhooks.ts';
import type { Environment } from './verify-signature.ts';

/** The ride statuses in events of one type. */
export type EventStatus<Type extends EventType> = WebhookEvent<Type>['event']['status'];

/** An event of one type about a ride in one status. */
export type RideEvent<Type extends EventType, Status extends EventStatus<Type>> = WebhookEvent<Type> & {
  event: Extract<WebhookEvent<Type>['event'], { status: Status }>;
};

/**
 * The receiver awaits a promise that the handler returns. If the handler throws, the sender sends the event again.
 * `environment` is the one whose token verifies the event; undefined if the receiver has a single token.
 */
export type EventHandler<Event> = (event: Event, environment?: Environment) => unknown;

/** One handler per event type, or one per ride status. Events without a handler are acknowledged and ignored. */
export type EventHandlers = {
  readonly [Type in EventType]?:
    | EventHandler<WebhookEvent<Type>>
    | { readonly [Status in EventStatus<Type>]?: EventHandler<RideEvent<Type, Status>> };
};

/** The handler for the event's type and status, bound to the event; undefined if none is registered. */
export function handlerOf(
  handlers: EventHandlers,
  event: WebhookEvent,
  environment?: Environment,
): (() => unknown) | undefined {
  const ofType: unknown = ownValue(handlers, event.event_type);
  const handler = typeof ofType === 'object' ? ownValue(ofType, event.event.status) : ofType;
  return typeof handler === 'function' ? () => handler(event, environment) : undefined;
}

function ownValue(table: object | null, key: string): unknown {
  return table && Object.hasOwn(table, key) ? Reflect.get(table, key) : undefined;
}
