import type { EventType, WebhookEvent } from '../../generated/webhooks.ts';

/** The statuses that a ride has in events of a type. */
export type EventStatus<Type extends EventType> = WebhookEvent<Type>['event']['status'];

/** An event of a type, about a ride in a status. */
export type RideEvent<Type extends EventType, Status extends EventStatus<Type>> = WebhookEvent<Type> & {
  event: Extract<WebhookEvent<Type>['event'], { status: Status }>;
};

/** Its promise is waited for; when it throws, the event is sent again. */
export type EventHandler<Event> = (event: Event) => unknown;

/** For each type of event one handler, or one for each status of the ride. What has none is received and left alone. */
export type EventHandlers = {
  readonly [Type in EventType]?:
    | EventHandler<WebhookEvent<Type>>
    | { readonly [Status in EventStatus<Type>]?: EventHandler<RideEvent<Type, Status>> };
};

/** The handler of an event, bound to it, or undefined when nobody asked for its type or status. */
export function handlerOf(handlers: EventHandlers, event: WebhookEvent): (() => unknown) | undefined {
  const ofType: unknown = ownValue(handlers, event.event_type);
  const handler = typeof ofType === 'object' ? ownValue(ofType, event.event.status) : ofType;
  return typeof handler === 'function' ? () => handler(event) : undefined;
}

function ownValue(table: object | null, key: string): unknown {
  return table && Object.hasOwn(table, key) ? Reflect.get(table, key) : undefined;
}
