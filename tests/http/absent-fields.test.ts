import { describe, expect, test } from 'vitest';
import type { OperationId } from '../../generated/server.ts';
import { operationsOf, type Schema, typesOf } from '../../scripts/contract/bundle.ts';
import { fieldsOf } from '../../scripts/contract/fields.ts';
import { contract } from '../../scripts/contract/read.ts';
import { failure, rawAnswerOf } from '../support/answers.ts';
import { acceptedCall } from '../support/operation-facts.ts';
import { DOLORES_PARK, FERRY_BUILDING } from '../support/places.ts';
import { rawCall } from '../support/raw-call.ts';
import { soundCallOf, withField } from '../support/sound-calls.ts';
import { ridingAt, STAGES } from '../support/stages.ts';
import { testServer } from '../support/started.ts';
import { isObject } from '../tools/coverage/values-at.ts';

const FORM = 'application/x-www-form-urlencoded';

/** The fields that accept null as a value, such as no phone number. */
const NULL_IS_A_VALUE = ['phone_number', 'payment_method', 'rating'].flatMap((name) => [
  `createPassenger ${name}`,
  `updatePassenger ${name}`,
]);
/** The fields where an empty string counts as absent. RFC 6749, section 3.2, requires this in OAuth. */
const TOKENS = ['cost_token', 'primetime_confirmation_token', 'cancel_confirmation_token'];
const OAUTH: readonly string[] = ['createToken', 'revokeToken', 'revokeRefreshToken'];

type Place = { readonly lat: number; readonly lng: number; readonly address?: string | null };

const server = testServer('sqlite', { rateLimitMultiplier: 1000 });

const located = operationsOf(contract).filter(({ body }) => body !== null);
const fields = located.flatMap((operation) =>
  fieldsOf(operation)
    .filter(({ location, names }) => location === 'body' && names.length > 0 && !names.includes('*'))
    .map(({ names, schema, isRequired }) => ({ id: operation.id as OperationId, names, schema, isRequired })),
);
const optional = fields.filter(({ isRequired }) => !isRequired);
const rowOf = ({ id, names }: (typeof fields)[number]) => `${id} ${names.join('.')}`;

test('no body has a list of objects, where the server would not check for absent fields and instants', () => {
  const inLists = located.flatMap(fieldsOf).filter(({ location, names }) => {
    return location === 'body' && names.includes('*') && names.at(-1) !== '*';
  });
  expect(inLists.map(({ names }) => names)).toEqual([]);
});

describe('null in an optional field is the same as leaving it out', () => {
  const cases = optional.filter((field) => !NULL_IS_A_VALUE.includes(rowOf(field)));
  test.each(cases.map((field) => [rowOf(field), field] as const))('%s', async (_, { id, names, schema }) => {
    expect(typesOf(schema)).toContain('null');
    expect(await answerTo(id, names, null)).toEqual(await answerTo(id, names, undefined));
  });
});

describe('an empty token or OAuth parameter counts as absent', () => {
  const cases = fields.filter(({ id, names }) => OAUTH.includes(id) || TOKENS.includes(names.at(-1)!));
  test.each(cases.map((field) => [rowOf(field), field] as const))('%s', async (_, { id, names }) => {
    const without = await answerTo(id, names, undefined);
    expect(await answerTo(id, names, '')).toEqual(without);
    if (OAUTH.includes(id)) expect(await answerTo(id, names, '', FORM)).toEqual(without);
  });
});

test.each(['updateWorld', 'updatePassenger'] as const)(
  '%s whose fields all count as left out is a 400 and changes nothing',
  async (id) => {
    const names = optional.filter((field) => field.id === id && !NULL_IS_A_VALUE.includes(rowOf(field)));
    const call = await acceptedCall(id, server);
    for (const body of [{}, Object.fromEntries(names.map((field) => [field.names[0], null]))]) {
      const response = await rawCall(server.baseUrl, id, { ...call, body: JSON.stringify(body) });
      const detail = [{ body: 'must have at least one field' }];
      expect(await rawAnswerOf(response)).toEqual(failure(400, 'bad_parameter', detail));
    }
  },
);

/** Sends an accepted call with one field changed. @returns the response, without the values that differ between calls */
async function answerTo(id: OperationId, names: readonly string[], value: unknown, type = 'application/json') {
  const { status: _, body = '{}', ...call } = await acceptedCall(id, server);
  const [first = '', ...inner] = names;
  const sample = soundCallOf(id).body as Record<string, unknown>;
  const whole = { ...(inner.length > 0 && { [first]: sample[first] }), ...JSON.parse(String(body)) };
  // JSON has no undefined fields
  const json = JSON.stringify(withField(whole, names, value));
  const sent = type === FORM ? new URLSearchParams(JSON.parse(json)).toString() : json;
  const headers = { ...call.headers, 'Content-Type': type };
  const response = await rawCall(server.baseUrl, id, { ...call, headers, body: sent });
  const deprecation = response.headers.get('deprecation');
  return { ...masked(await rawAnswerOf(response)), deprecation };
}

/** Replaces IDs, tokens and random values, which differ between calls, with their types. */
function masked<T>(answer: T): T {
  const mask = (key: string, value: unknown) =>
    value !== null && /(^|_)(id|token|seed|email)$/.test(key) && !isObject(value) ? typeof value : value;
  return JSON.parse(JSON.stringify(answer, mask));
}

describe('a place in a response', () => {
  const schemas = Object.entries(contract.components!.schemas!).filter(isPlace);

  test('has no field that a request refuses', () => {
    expect(schemas.length).toBeGreaterThanOrEqual(4);
    const { RequestedPlace, OptionalPlace } = contract.components!.schemas!;
    for (const [name, { properties = {} }] of schemas) {
      for (const requested of [RequestedPlace!, OptionalPlace!]) {
        expect(Object.keys(requested.properties!), name).toEqual(expect.arrayContaining(Object.keys(properties)));
      }
    }
  });

  test.each(STAGES)('of a ride that is %s can be sent back', async (stage) => {
    const { api, params } = await ridingAt(server, stage);
    const { data: ride } = await api.getRide({ params });
    const places = Object.values(ride!).filter((value) => isObject(value) && 'lat' in value && !('bearing' in value));
    expect(places.length).toBeGreaterThanOrEqual(2);
    const { token } = await server.newRider(await server.newWorld());
    const answerOf = async (id: OperationId, body: unknown, path = {}) =>
      rawAnswerOf(await rawCall(server.baseUrl, id, { token, path, body: JSON.stringify(body) }));
    for (const place of places as Place[]) {
      const origin = place.lat === FERRY_BUILDING.lat ? DOLORES_PARK : FERRY_BUILDING;
      const { lat, lng, address = null } = place;
      const asked = await answerOf('requestRide', { origin, destination: place, ride_type: 'svc' });
      expect(asked).toMatchObject({ status: 201, body: { destination: { lat, lng, address } } });
      const path = { ride_id: asked.body.ride_id };
      const changed = await answerOf('updateDestination', place, path);
      expect(changed).toEqual({ status: 200, body: { lat, lng, address } });
      await answerOf('cancelRide', {}, path);
    }
  });
});

function isPlace([name, { properties = {} }]: [string, Schema]): boolean {
  return ['lat', 'lng', 'address'].every((field) => field in properties) && !/^(Requested|Optional)Place$/.test(name);
}
