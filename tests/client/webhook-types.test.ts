import { expect, expectTypeOf, test } from 'vitest';
import type { EventHandlers, EventStatus, RideEvent } from '../../client/webhooks/event-handlers.ts';
import type { WebhookEvent } from '../../generated/webhooks.ts';

// The lines below @ts-expect-error must not compile. If one compiles, tsc in `npm run check` fails.

test('a handler of a status gets the fields of that status', () => {
  const sound: EventHandlers = {
    'ride.status.updated': {
      accepted: ({ event }) => {
        expectTypeOf(event.status).toEqualTypeOf<'accepted'>();
        expectTypeOf(event.driver.first_name).toEqualTypeOf<string>();
      },
      async pickedUp({ event, occurred_at }) {
        expectTypeOf(event.pickup.time).toEqualTypeOf<string>();
        expectTypeOf(occurred_at).toEqualTypeOf<string>();
      },
      canceled({ event, event_type }) {
        expectTypeOf(event_type).toEqualTypeOf<'ride.status.updated'>();
        // @ts-expect-error: a ride can be canceled before it has a driver
        event.driver.first_name;
      },
    },
    'ride.receipt.ready': {
      droppedOff: ({ event }) => expectTypeOf(event.line_items[0]!.amount).toEqualTypeOf<number>(),
      canceled: ({ event }) => expectTypeOf(event.price.amount).toEqualTypeOf<number>(),
    },
  };
  expect(sound).toBeTypeOf('object');
});

test('a handler of a type gets the fields that all its rides have', () => {
  const sound: EventHandlers = {
    'ride.status.updated': ({ event }) => {
      expectTypeOf(event.status).toEqualTypeOf<EventStatus<'ride.status.updated'>>();
      // @ts-expect-error: only some statuses have a dropoff
      event.dropoff;
      if (event.status === 'droppedOff') expectTypeOf(event.dropoff.time).toEqualTypeOf<string>();
    },
    async 'ride.receipt.ready'({ event }) {
      expectTypeOf(event.charges[0]!.amount).toEqualTypeOf<number>();
    },
  };
  expect(sound).toBeTypeOf('object');
});

test('a handler that would never be called does not compile', () => {
  const wrong = [
    // @ts-expect-error: there is no such type
    { 'ride.rated': () => {} },
    // @ts-expect-error: a pending ride sends no event
    { 'ride.status.updated': { pending: () => {} } },
    // @ts-expect-error: an accepted ride has no receipt
    { 'ride.receipt.ready': { accepted: () => {} } },
    // @ts-expect-error: a handler is a function
    { 'ride.status.updated': { accepted: 'accepted' } },
  ] satisfies EventHandlers[];
  expect(wrong).toHaveLength(4);
});

test('an event of one status is an event', () => {
  expectTypeOf<RideEvent<'ride.status.updated', 'arrived'>>().toExtend<WebhookEvent>();
  expectTypeOf<RideEvent<'ride.receipt.ready', 'canceled'>['event']['canceled_by']>().toEqualTypeOf<
    'passenger' | 'driver' | 'no_drivers_available'
  >();
});
