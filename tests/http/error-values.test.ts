import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { OperationId } from '../../generated/server.ts';
import { operationsOf } from '../../scripts/contract/bundle.ts';
import { fieldsOf } from '../../scripts/contract/fields.ts';
import { contract } from '../../scripts/contract/read.ts';
import { gotCount, gotValue, LONGEST_SHOWN } from '../../server/http/got.ts';
import { rawAnswerOf } from '../support/answers.ts';
import { acceptedCall } from '../support/operation-facts.ts';
import { type RawCall, rawCall } from '../support/raw-call.ts';
import { testServer } from '../support/started.ts';

const server = testServer('sqlite', { rateLimitMultiplier: 100_000 });
const AT = { lat: 37.7955, lng: -122.3937 };
const PLACE = `"lat": ${AT.lat}, "lng": ${AT.lng}`;
const SINCE = 'start_time=2026-01-01T00:00:00Z';
const FORM = 'application/x-www-form-urlencoded';

const asking = (query: string): RawCall => ({ query });
const sending = (body: object | string, headers: RawCall['headers'] = {}): RawCall => ({
  body: typeof body === 'string' ? body : JSON.stringify(body),
  headers,
});
const typed = { 'Content-Type': 'text/plain' };
const packed = (coding: string) => ({ 'Content-Encoding': coding });
/** Each is empty, and together they are no body. */
const nothings = Buffer.concat(Array(3000).fill(gzipSync('')));

describe('the description of an error', () => {
  test.each<[sentence: string, call: RawCall, operation?: OperationId]>([
    ['The parameter lat is required.', asking('lng=1'), 'listRideTypes'],
    ['The parameter lat must be between -90 and 90; got -91.', asking('lat=-91&lng=1'), 'listRideTypes'],
    ['The parameter lat must be a number; got "north".', asking('lat=north&lng=1'), 'listRideTypes'],
    ['The parameter limit must be an integer; got 1.5.', asking(`${SINCE}&limit=1.5`), 'listRides'],
    ['The parameter ride_type must not be empty.', asking('lat=1&lng=1&ride_type='), 'listRideTypes'],
    [
      'The parameter ride_type must have at most 64 characters; got 65.',
      asking(`lat=1&lng=1&ride_type=${'x'.repeat(65)}`),
      'listRideTypes',
    ],
    [
      'The parameter start_time must be an ISO 8601 date and time with an offset, such as 2026-05-12T18:00:00Z; got "yesterday".',
      asking('start_time=yesterday'),
      'listRides',
    ],
    ['The parameter "a b" is unknown.', asking('a%20b'), 'getProfile'],
    ['The parameter "a\\nb" is unknown.', asking('a%0Ab'), 'getProfile'],
    ['The parameter "is fine. Nothing" is unknown.', asking('is%20fine.%20Nothing'), 'getProfile'],
    [`The parameter ${'x'.repeat(100)}… is unknown.`, asking('x'.repeat(300)), 'getProfile'],

    ['The body must be an object.', sending('[]')],
    ['The body must be valid JSON.', sending('{')],
    ['The body is required.', sending('', typed)],
    ['The body is required.', { body: nothings, headers: packed('gzip') }],
    ['The body is larger than 65536 bytes.', sending(' '.repeat(65_537))],
    ['The parameter lat is required. Another parameter is also wrong.', sending({})],
    ['The parameter lat must be a number; got "1".', sending({ ...AT, lat: '1' })],
    ['The parameter lat must be between -90 and 90; got 91.', sending({ ...AT, lat: 91 })],
    ['The parameter lat must be a number; got Infinity.', sending('{"lat": 1e999, "lng": 1}')],
    ['The parameter lat must be sent only once.', sending(`{${PLACE}, "lat": 1}`)],
    ['The parameter address must be a string or null.', sending({ ...AT, address: {} })],
    ['The parameter address must have at most 500 characters.', sending({ ...AT, address: 'x'.repeat(501) })],
    ['The parameter "a/b" is unknown.', sending({ ...AT, 'a/b': 1 })],
    ['The parameter page is unknown.', sending({ state: 'frozen', page: 2 }), 'setClock'],
    ['The parameter state must be one of running, frozen; got "slow".', sending({ state: 'slow' }), 'setClock'],
    ['The parameter scopes must have at least one item.', sending({ scopes: [] }), 'createPassenger'],
    [
      'The parameter ride_types must have at most 50 items.',
      sending({ ...AT, ride_types: Array.from({ length: 51 }, (_, i) => `t${i}`) }),
      'setRideTypes',
    ],

    ['The Content-Type is not supported. Send the body as application/json, in UTF-8.', sending('{}', typed)],
    [
      'The Content-Encoding is not supported. Send the body uncompressed, or compressed with gzip or deflate.',
      sending('{}', packed('compress')),
    ],
    ['The body does not match the Content-Length or Content-Encoding header.', sending('{}', packed('gzip'))],
    [
      `The Content-Type is not supported. Send the body as application/json or ${FORM}, in UTF-8.`,
      sending('{}', { 'Content-Type': `${FORM}; charset=iso-8859-1` }),
      'revokeToken',
    ],
    [
      'The Content-Encoding is not supported. Send the body uncompressed.',
      sending('{}', packed('deflate')),
      'createToken',
    ],
  ])('%s', async (sentence, { headers, ...call }, operation = 'updateDestination') => {
    const accepted = await acceptedCall(operation, server);
    const sent = { ...accepted, ...call, headers: { ...accepted.headers, ...headers } };
    const { body } = await rawAnswerOf(await rawCall(server.baseUrl, operation, sent));
    expect(body.error_description).toBe(sentence);
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
    ['2026-11-01 00:00:00.000000+00:00', '"2026-11-01 00:00:00.000000+00:00"'],
    // an offset whose plus sign is not encoded
    ['2026-11-01T00:00:00 00:00', '"2026-11-01T00:00:00 00:00"'],
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
