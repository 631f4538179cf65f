import { describe, expect, test } from 'vitest';
import { operationsOf } from '../../scripts/contract/bundle.ts';
import { fieldsOf } from '../../scripts/contract/fields.ts';
import { contract } from '../../scripts/contract/read.ts';
import { gotCount, gotValue, LONGEST_SHOWN } from '../../server/http/got.ts';
import { rawAnswerOf } from '../support/answers.ts';
import { rawCall } from '../support/raw-call.ts';
import { testServer } from '../support/started.ts';

const server = testServer('sqlite', { rateLimitMultiplier: 100_000 });
const AT = { lat: 37.7955, lng: -122.3937 };

describe('an error shows the wrong value and what is expected', () => {
  test.each<
    [keyword: string, operation: 'listRideTypes' | 'listRides' | 'estimateCost', query: string, sentence: string]
  >([
    ['required', 'listRideTypes', 'lng=1', 'lat is required.'],
    ['minimum', 'listRideTypes', 'lat=-91&lng=1', 'lat must be between -90 and 90; got -91.'],
    ['maximum', 'listRideTypes', 'lat=91&lng=1', 'lat must be between -90 and 90; got 91.'],
    ['type', 'listRideTypes', 'lat=north&lng=1', 'lat must be a number; got "north".'],
    ['a whole number', 'listRides', 'start_time=2026-01-01T00:00:00Z&limit=1.5', 'limit must be an integer; got 1.5.'],
    ['minLength', 'listRideTypes', 'lat=1&lng=1&ride_type=', 'ride_type must not be empty.'],
    [
      'maxLength',
      'listRideTypes',
      `lat=1&lng=1&ride_type=${'x'.repeat(65)}`,
      'ride_type must have at most 64 characters; got 65.',
    ],
    [
      'format',
      'listRides',
      'start_time=yesterday',
      'start_time must be an ISO 8601 date and time with an offset, such as 2026-05-12T18:00:00Z; got "yesterday".',
    ],
    ['an unknown name', 'listRideTypes', 'lat=1&lng=1&page=2', 'page is unknown.'],
  ])('in a query: %s', async (_, operation, query, sentence) => {
    const { token } = await server.newRider(await server.newWorld());
    const { body } = await rawAnswerOf(await rawCall(server.baseUrl, operation, { token, query }));
    expect(body.error_description).toBe(`The parameter ${sentence}`);
  });

  test.each<
    [
      keyword: string,
      operation: 'setPrimeTime' | 'setRideTypes' | 'createPassenger' | 'setClock',
      body: object,
      sentence: string,
    ]
  >([
    ['type', 'setPrimeTime', { ...AT, lat: '1', primetime_percentage: '25%' }, 'lat must be a number; got "1".'],
    ['pattern', 'setPrimeTime', { ...AT, primetime_percentage: '26%' }, 'must match the pattern'],
    ['enum', 'setClock', { state: 'slow' }, 'state must be one of running, frozen; got "slow".'],
    ['minItems', 'createPassenger', { scopes: [] }, 'scopes must have at least one item.'],
    [
      'maxItems',
      'setRideTypes',
      { ...AT, ride_types: Array.from({ length: 51 }, (_, i) => `t${i}`) },
      'ride_types must have at most 50 items.',
    ],
    ['additionalProperties', 'setClock', { state: 'frozen', page: 2 }, 'page is unknown.'],
  ])('in a body: %s', async (_, operation, sent, sentence) => {
    const token = await server.newToken({ world: await server.newWorld() });
    const call = { token, body: JSON.stringify(sent) };
    const { body } = await rawAnswerOf(await rawCall(server.baseUrl, operation, call));
    expect(body.error_description).toContain(sentence);
  });
});

describe('a value is shown', () => {
  test.each<[value: unknown, shown: string]>([
    [91, '91'],
    [-181.5, '-181.5'],
    [4_155_550_137, 'a large number'],
    [true, 'true'],
    [null, 'null'],
    ['north', '"north"'],
    ['', 'an empty string'],
    ['25%', '"25%"'],
    ['2026-13-01', '"2026-13-01"'],
    ['+14155550137', 'a string of 12 characters'],
    ['maya.o@leak.example', 'a string of 19 characters'],
    ['a\nb', 'a string of 3 characters'],
    ['"quoted"', 'a string of 8 characters'],
    ['x'.repeat(5000), `a string of more than ${LONGEST_SHOWN} characters`],
    [{ a: 1 }, 'an object'],
    [[1, 2], 'a list'],
  ])('as JSON if it cannot be private: %j', (value, shown) => {
    expect(gotValue('listRideTypes', 'lat', value)).toBe(`; got ${shown}`);
  });

  test('without quotes where strings stand for numbers', () => {
    expect(gotValue('listRideTypes', 'lat', '91', true)).toBe('; got 91');
  });
});

const PRIVATE = /token|secret|password|code|email|phone|address|url|uri|feedback|(first|last)_name/;

test('the value of a field for secrets or personal data is never shown', () => {
  const fields = operationsOf(contract).flatMap((located) =>
    fieldsOf(located).map(({ names }) => ({ id: located.id, name: names.join('.') })),
  );
  const secret = fields.filter(({ id, name }) => PRIVATE.test(name) || /^(create|revoke)\w*Token$|^authorize/.test(id));
  expect(secret.length).toBeGreaterThan(20);
  for (const { id, name } of secret) {
    const operation = id as Parameters<typeof gotValue>[0];
    expect([name, gotValue(operation, name, 'hunter'), gotCount(operation, name, 'hunter')]).toEqual([name, '', '']);
  }
});
