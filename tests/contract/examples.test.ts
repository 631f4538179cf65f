import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { contract } from '../../scripts/contract/read.ts';
import { exampleObjects, exampleValues } from './support/examples.ts';

// openapi-3.0.test.ts checks that each example is valid
describe('the examples show', () => {
  test.each([
    ['one ride', 'ride_id'],
    ['one driver', 'driver'],
    ['one car', 'vehicle'],
    ['one currency', 'currency'],
    ['one time of the request', 'requested_at'],
    ['one time zone', 'timezone'],
  ])('%s', (_, key) => {
    const values = exampleValues(key).map((value) => JSON.stringify(value));
    expect(values.length).toBeGreaterThan(0);
    expect([...new Set(values)]).toHaveLength(1);
  });

  test('one passenger, also in the examples that create one in a sandbox', () => {
    const shown = exampleValues('passenger') as Record<'user_id' | 'passenger_id' | 'first_name', string>[];
    const [riding, made] = [shown.filter(({ user_id: id }) => id), shown.filter(({ passenger_id: id }) => id)];
    expect(riding.length + made.length).toBe(shown.length);
    for (const one of [riding, made]) expect(new Set(one.map((value) => JSON.stringify(value))).size).toBe(1);
    const { user_id: _, image_url: __, ...same } = riding[0] as Record<string, unknown>;
    expect(same).toHaveProperty('rating');
    expect(made[0]).toMatchObject(same);
  });

  test("the passenger's profile", () => {
    const passenger = exampleValues('passenger')[0] as { user_id: string; first_name: string };
    const profile = contract.components!.examples!.profile as { value: { id: string; first_name: string } };
    expect(profile.value).toMatchObject({ id: passenger.user_id, first_name: passenger.first_name });
  });

  test('only places in San Francisco', () => {
    const numbers = (key: string) => exampleValues(key).filter((value) => typeof value === 'number');
    expect(numbers('lat').filter((lat) => lat < 37.7 || lat > 37.83)).toEqual([]);
    expect(numbers('lng').filter((lng) => lng < -122.52 || lng > -122.35)).toEqual([]);
  });

  test('prices that match the sum of the line items and of the charges', () => {
    const paid = exampleObjects().filter((object): object is Paid => 'price' in object);
    expect(paid.length).toBeGreaterThan(1);
    for (const { price, ...parts } of paid) {
      expect([sum(parts.line_items), sum(parts.charges)]).toEqual([price.amount, price.amount]);
    }
  });
});

type Paid = { price: Amount; line_items: Amount[]; charges: Amount[] };
type Amount = { amount: number };

function sum(amounts: Amount[]): number {
  return amounts.reduce((total, { amount }) => total + amount, 0);
}

type Fields = Record<string, unknown>;

interface WebhookExample {
  readonly event_id: string;
  readonly href: string;
  readonly occurred_at: string;
  readonly event_type: string;
  readonly event: Fields & { readonly generated_at: string };
}

const api = JSON.parse(readFileSync('generated/openapi.json', 'utf8'));
const own = JSON.parse(readFileSync('generated/webhooks.json', 'utf8'));

/** Fields that change between an event and a later read of the same ride. */
const PASSING = ['generated_at', 'location', 'cancellation_price'];

/** Events with the getRide example of the same ride. */
const SAME_RIDE = {
  event_accepted: 'ride_accepted',
  event_arrived: 'ride_arrived',
  event_picked_up: 'ride_picked_up',
  event_dropped_off: 'ride_dropped_off',
  event_receipt: 'ride_paid',
  event_canceled_by_passenger: 'ride_canceled',
  event_canceled_for_a_fee: 'ride_canceled_fee',
  event_receipt_cancellation: 'ride_canceled_fee',
};

/** Events without a getRide example, with an example that has the same lasting fields. */
const SAME_FACTS = {
  event_canceled_by_driver: 'ride_accepted',
  event_canceled_no_drivers_available: 'ride_pending',
};

function webhookExample(name: string): WebhookExample {
  return own.components.examples[name].value;
}

/** Removes the fields in PASSING and the arrival times, at any depth. */
function lasting(ride: Fields): Fields {
  const isPassing = (name: string) => ['eta_seconds', ...PASSING].includes(name);
  return JSON.parse(JSON.stringify(ride, (name, value) => (isPassing(name) ? undefined : value)));
}

function namesOf(eventType: string): string[] {
  const { examples } = own.webhooks[eventType].post.requestBody.content['application/json'];
  return Object.values(examples as Record<string, { $ref: string }>).map(({ $ref }) => $ref.split('/').at(-1)!);
}

describe('the examples of webhooks.yaml', () => {
  test.each(Object.entries(SAME_RIDE))('%s shows the ride of %s', (name, rideName) => {
    expect(lasting(webhookExample(name).event)).toEqual(lasting(api.components.examples[rideName].value));
  });

  test.each(Object.entries(SAME_FACTS))('%s contradicts nothing in %s', (name, rideName) => {
    const ride: Fields = lasting(api.components.examples[rideName].value);
    const { status: _status, can_cancel: _actors, canceled_by: _by, ...event } = lasting(webhookExample(name).event);
    expect(ride).toMatchObject(event);
  });

  test('each example is listed with its event type', () => {
    const types = ['ride.status.updated', 'ride.receipt.ready'];
    const placed = types.flatMap((type) => namesOf(type).map((name) => [name, type]));
    const told = Object.keys(own.components.examples).map((name) => [name, webhookExample(name).event_type]);
    expect(placed.sort()).toEqual(told.sort());
    expect(Object.keys({ ...SAME_RIDE, ...SAME_FACTS }).sort()).toEqual(Object.keys(own.components.examples).sort());
  });

  test('every announced status and every cause of a cancellation has an example', () => {
    const updates = namesOf('ride.status.updated').map((name) => webhookExample(name).event);
    const announced = Object.keys(own.components.schemas.AnnouncedRide.discriminator.mapping);
    expect(new Set(updates.map((ride) => ride.status))).toEqual(new Set(announced));
    const causes = updates.flatMap((ride) => (ride.status === 'canceled' ? [ride.canceled_by] : []));
    expect(new Set(causes)).toEqual(new Set(['passenger', 'driver', 'no_drivers_available']));
  });

  test('each event has a unique id, links to its ride, and shows the ride as it was', () => {
    const events = Object.keys(own.components.examples).map(webhookExample);
    expect(new Set(events.map((event) => event.event_id)).size).toBe(events.length);
    for (const { href, occurred_at, event } of events) {
      expect(href.endsWith(`/${event.ride_id}`)).toBe(true);
      expect(event.generated_at).toBe(occurred_at);
    }
  });
});
