import { pino } from 'pino';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Operations } from '../../client/client.ts';
import { createClient } from '../../client/client.ts';
import type { Ride } from '../../generated/types.ts';
import { contract } from '../../scripts/contract/read.ts';
import { Refusal } from '../../server/domain/refusal.ts';
import { startServerOfHandlers } from '../http/support/server-of-handlers.ts';
import { ACROSS_TOWN } from '../support/accepted-calls.ts';
import { failure } from '../support/answers.ts';
import { forAll, testServer } from '../support/started.ts';
import { fieldsOf, STATUSES, type Status } from './support/ride-fields.ts';

const BREACH = 'a response violates the contract';

const EXAMPLES = contract.components!.examples as Record<string, { readonly value: object }>;
const exampleOf = (name: string) => EXAMPLES[name]!.value;

const RIDES = {
  pending: exampleOf('ride_pending'),
  accepted: exampleOf('ride_accepted'),
  arrived: exampleOf('ride_arrived'),
  pickedUp: exampleOf('ride_picked_up'),
  droppedOff: exampleOf('ride_paid'),
  canceled: exampleOf('ride_canceled_fee'),
  unknown: exampleOf('ride_unknown'),
} as Record<Status, Ride>;

const server = testServer('sqlite');
/** What every handler does: return a body or throw a refusal. */
let answer: () => unknown;
const errors: { readonly msg: string; readonly operation?: string }[] = [];
const logger = pino({ level: 'error' }, { write: (line) => void errors.push(JSON.parse(line)) });
const serverThat = (contractBreach: 'fail' | 'log') =>
  forAll(() => {
    const parts = { ...server.parts, logger, rateLimitMultiplier: 100 };
    return startServerOfHandlers(parts, async () => answer(), undefined, contractBreach);
  });
const strict = serverThat('fail');
const lenient = serverThat('log');
let token: string;
beforeAll(async () => {
  ({ token } = await server.newRider(await server.newWorld()));
});

type Call = (api: Operations) => Promise<{ response: Response; data?: unknown; error?: unknown }>;
const PARAMS = { params: { path: { ride_id: 'any' } } };
const getRide: Call = (api) => api.getRide(PARAMS);

/** The response of a server whose handlers return this body, as the client receives it. */
async function passed({ baseUrl }: typeof strict, body: unknown, call = getRide) {
  answer = () => {
    if (body instanceof Refusal) throw body;
    return body;
  };
  const { response, data, error } = await call(createClient({ baseUrl, token }));
  return { status: response.status, body: data ?? error };
}

const INTERNAL = failure(500, 'internal_error');

describe.each(STATUSES)('the response for a ride that is %s', (status) => {
  test('passes unchanged, even with fields that clients do not know', async () => {
    const ride = RIDES[status];
    const passenger = { ...ride.passenger, pronouns: ['they', 'them'] };
    for (const body of [ride, { ...ride, carbon_grams: 120, passenger }]) {
      expect(await passed(strict, body)).toEqual({ status: 200, body });
    }
  });

  test('fails without any one of its required fields', async () => {
    const optional = fieldsOf(status).filter(({ presence }) => presence === 'optional');
    for (const [path, broken] of withoutEachField(RIDES[status])) {
      const expected = optional.some(({ field }) => field === path) ? 200 : 500;
      expect((await passed(strict, broken)).status, `without ${path}`).toBe(expected);
    }
  });
});

test('a ride whose fields do not match its status becomes a 500', async () => {
  expect(await passed(strict, { ...RIDES.pending, status: 'droppedOff' })).toEqual(INTERNAL);
  expect(await passed(strict, { ...RIDES.pending, status: 'lost' })).toEqual(INTERNAL);
});

// field-types.test.ts has the types of all fields
test.each<[string, string, string, Call]>([
  ['the ride', 'ride_pending', 'ride_id', getRide],
  [
    'the history',
    'ride_history',
    'ride_history',
    (api) => api.listRides({ params: { query: { start_time: '2026-05-01T00:00:00Z' } } }),
  ],
  ['the request', 'ride_requested', 'origin', (api) => api.requestRide({ body: ACROSS_TOWN })],
  ['the receipt', 'receipt', 'price', (api) => api.getReceipt(PARAMS)],
])('the server checks the types in %s', async (_, example, field, call) => {
  expect((await passed(strict, exampleOf(example), call)).status).toBeLessThan(300);
  expect(await passed(strict, { ...exampleOf(example), [field]: 7 }, call)).toEqual(INTERNAL);
});

const { driver, ...withoutDriver } = RIDES.accepted as Extract<Ride, { status: 'accepted' }>;
const notFound = (fields?: object) => new Refusal('ride_not_found', 'There is no such ride.', {}, { ...fields });
const NOT_FOUND = expect.objectContaining({ status: 404 });

describe.each([
  ['in development', strict],
  ['in production', lenient],
])('%s', (_, server) => {
  test.each<[what: string, body: unknown, passing: object, blamed?: string]>([
    ['a valid response passes, and nothing is logged', RIDES.accepted, { status: 200, body: RIDES.accepted }],
    ['a valid error passes, and nothing is logged', notFound(), NOT_FOUND],
    ['an invalid response is logged without its values', withoutDriver, { status: 200, body: withoutDriver }, 'driver'],
    // it must be a list
    ['an invalid error is logged', notFound({ error_detail: 'none' }), NOT_FOUND, 'error_detail'],
  ])('%s', async (_, body, passing, blamed) => {
    errors.length = 0;
    expect(await passed(server, body)).toEqual(blamed && server === strict ? INTERNAL : passing);
    const log = errors.filter(({ msg }) => msg === BREACH);
    expect(log).toEqual(blamed ? [expect.objectContaining({ operation: 'getRide' })] : []);
    expect(JSON.stringify(log)).toContain(blamed ?? '');
    expect(JSON.stringify(log)).not.toContain(driver.phone_number);
  });
});

/** A copy without one field, for each field at any depth, with the path of the field. */
function withoutEachField(value: unknown): [path: string, broken: unknown][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const deeper = withoutEachField(inner).map(([path, broken]): [string, unknown] => [
      `${key}.${path}`,
      Array.isArray(value) ? value.with(Number(key), broken) : { ...value, [key]: broken },
    ]);
    return Array.isArray(value) ? deeper : [[key, { ...value, [key]: undefined }], ...deeper];
  });
}
