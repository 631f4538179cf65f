import { beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../../client/client.ts';
import type { Operations } from '../../generated/client.ts';
import type { Ride } from '../../generated/types.ts';
import { contract } from '../../scripts/contract/read.ts';
import { Refusal } from '../../server/domain/refusal.ts';
import { ACROSS_TOWN } from '../support/accepted-calls.ts';
import { failure } from '../support/answers.ts';
import { forAll, testServer } from '../support/started.ts';
import { withEachValueMistyped, withoutEachField } from './support/breakages.ts';
import { fieldsOf, STATUSES, type Status } from './support/ride-fields.ts';
import { type ServerThatSays, startServerThatSays } from './support/server-that-says.ts';

const BREACH = 'a response violates the contract';
type Accepted = Extract<Ride, { status: 'accepted' }>;
type Arrived = Extract<Ride, { status: 'arrived' }>;
type Paid = Extract<Ride, { status: 'droppedOff' }>;

const EXAMPLES = contract.components!.examples as Record<string, { readonly value: object }>;
const exampleOf = (name: string) => EXAMPLES[name]!.value;
const A_FEE = { cancellation_price: (exampleOf('ride_arrived') as Arrived).cancellation_price };
const PICKUP = { pickup: (exampleOf('ride_paid') as Paid).pickup };
const { driver, vehicle, beacon_color } = exampleOf('ride_accepted') as Accepted;

/** For each status, a ride with every field that it can have. */
const RIDES = {
  pending: exampleOf('ride_pending'),
  accepted: { ...exampleOf('ride_accepted'), ...A_FEE },
  arrived: exampleOf('ride_arrived'),
  pickedUp: exampleOf('ride_picked_up'),
  droppedOff: exampleOf('ride_paid'),
  canceled: { ...exampleOf('ride_canceled_fee'), ...PICKUP },
  unknown: { ...exampleOf('ride_unknown'), driver, vehicle, beacon_color, ...PICKUP },
} as Record<Status, Ride>;

const server = testServer('sqlite');
const thatSays = (contractBreach: 'fail' | 'log') =>
  forAll(() => startServerThatSays({ ...server.parts, rateLimitMultiplier: 100 }, contractBreach));
const strict = thatSays('fail');
const lenient = thatSays('log');
let token: string;
beforeAll(async () => {
  ({ token } = await server.newRider(await server.newWorld()));
});

/** Returns a ride response as the client receives it. */
async function passed(server: ServerThatSays, body?: unknown) {
  if (body !== undefined) server.say(body);
  const api = createClient({ baseUrl: server.baseUrl, token });
  const { response, data, error } = await api.getRide({ params: { path: { ride_id: 'any' } } });
  return { status: response.status, body: data ?? error };
}

const INTERNAL = failure(500, 'internal_error');

describe.each(STATUSES)('the response for a ride that is %s', (status) => {
  test('passes unchanged with every possible field and with a field that clients do not know', async () => {
    const ride = RIDES[status];
    for (const body of [ride, { ...ride, carbon_grams: 120 }]) {
      expect(await passed(strict, body)).toEqual({ status: 200, body });
    }
    const possible = fieldsOf(status).filter(({ field, presence }) => !field.includes('.') && presence !== 'absent');
    expect(Object.keys(ride).sort()).toEqual(possible.map(({ field }) => field).sort());
  });

  test('fails without any one of its required fields', async () => {
    const optional = fieldsOf(status).filter(({ presence }) => presence === 'optional');
    for (const { path, broken } of withoutEachField(RIDES[status])) {
      const expected = optional.some(({ field }) => field === path) ? 200 : 500;
      expect((await passed(strict, broken)).status, `without ${path}`).toBe(expected);
    }
  });

  test('fails if any value has the wrong type', async () => {
    for (const { path, broken } of withEachValueMistyped(RIDES[status])) {
      expect((await passed(strict, broken)).status, `with a wrong type at ${path}`).toBe(500);
    }
  });
});

test('a ride whose fields do not match its status becomes a 500', async () => {
  expect(await passed(strict, { ...RIDES.pending, status: 'droppedOff' })).toEqual(INTERNAL);
  expect(await passed(strict, { ...RIDES.pending, status: 'lost' })).toEqual(INTERNAL);
});

test.each<[string, string, (api: Operations) => Promise<{ response: Response }>]>([
  [
    'the history',
    'ride_history',
    (api) => api.listRides({ params: { query: { start_time: '2026-05-01T00:00:00Z' } } }),
  ],
  ['the request', 'ride_requested', (api) => api.requestRide({ body: ACROSS_TOWN })],
  ['the receipt', 'receipt', (api) => api.getReceipt({ params: { path: { ride_id: 'any' } } })],
])('the server also checks %s', async (_, example, call) => {
  const api = createClient({ baseUrl: strict.baseUrl, token });
  const answer = exampleOf(example);
  strict.say(answer);
  expect((await call(api)).response.ok).toBe(true);
  for (const { path, broken } of withEachValueMistyped(answer)) {
    strict.say(broken);
    expect((await call(api)).response.status, `with a wrong type at ${path}`).toBe(500);
  }
});

/** Invalid, because error_detail must be a list. */
const BROKEN_FAILURE = new Refusal('ride_not_found', 'There is no such ride.', {}, { error_detail: 'none' });

/** What a server logs while `work` runs. */
async function logOf(server: ServerThatSays, work: () => Promise<void>): Promise<readonly object[]> {
  const before = server.errors.length;
  await work();
  return server.errors.slice(before).filter(({ msg }) => msg === BREACH);
}
const A_BREACH = [expect.objectContaining({ msg: BREACH, operation: 'getRide' })];

describe.each([
  ['in development', strict],
  ['in production', lenient],
])('%s', (_, server) => {
  const isStrict = server === strict;

  test('a valid response and a valid error pass silently', async () => {
    const log = await logOf(server, async () => {
      for (const body of Object.values(RIDES)) expect(await passed(server, body)).toEqual({ status: 200, body });
      server.fail(new Refusal('ride_not_found', 'There is no such ride.'));
      expect((await passed(server)).status).toBe(404);
    });
    expect(log).toEqual([]);
  });

  test('an invalid response is logged with the name of the field, and without its value', async () => {
    const { driver, ...broken } = RIDES.accepted as Accepted;
    const log = await logOf(server, async () => {
      expect(await passed(server, broken)).toEqual(isStrict ? INTERNAL : { status: 200, body: broken });
    });
    expect(log).toEqual(A_BREACH);
    expect(JSON.stringify(log)).toContain('driver');
    expect(JSON.stringify(log)).not.toContain(driver.phone_number);
  });

  test('an invalid error is logged', async () => {
    const log = await logOf(server, async () => {
      server.fail(BROKEN_FAILURE);
      const passing = expect.objectContaining({ status: 404, body: expect.objectContaining({ error_detail: 'none' }) });
      expect(await passed(server)).toEqual(isStrict ? INTERNAL : passing);
    });
    expect(log).toEqual(A_BREACH);
  });
});
