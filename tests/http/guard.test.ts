import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OperationId } from '../../generated/server.ts';
import { failure } from '../support/answers.ts';
import { DOLORES_PARK, FERRY_BUILDING } from '../support/places.ts';
import { type RawCall, rawCall } from '../support/raw-call.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const REQUEST = { origin: FERRY_BUILDING, destination: DOLORES_PARK, ride_type: 'svc' };
/** A body that each operation with one accepts; those of the Rides tag, which take a user token. */
const BODIES = {
  requestRide: REQUEST,
  updateDestination: DOLORES_PARK,
  rateRide: { rating: 5 },
  cancelRide: { cancel_confirmation_token: 'a' },
} satisfies Partial<Record<OperationId, unknown>>;
type BodyOperation = keyof typeof BODIES;
const WITH_BODY = Object.keys(BODIES) as BodyOperation[];
const NOT_KNOWN = 'is not a parameter of this operation';
const UNSTORABLE = 'must be well-formed text without NUL';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer('sqlite');
});
afterAll(() => server.close());

/** What an operation answers a new passenger, whatever it is sent. */
async function send(operation: OperationId, call: RawCall) {
  const { token } = await server.newRider(await server.newWorld());
  const response = await rawCall(server.baseUrl, operation, { token, path: { ride_id: 'ride-1' }, ...call });
  const text = await response.text();
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  return { response, answer: { status: response.status, body: JSON.parse(text) } };
}

const answerTo = async (operation: OperationId, call: RawCall) => (await send(operation, call)).answer;
const badParameter = (name: string, problem: unknown) => failure(400, 'bad_parameter', [{ [name]: problem }]);

describe.each(WITH_BODY)('the body of %s', (operation) => {
  const sound = JSON.stringify(BODIES[operation]);

  test.each([
    ['text that breaks off', '{"a": ', 'must be valid JSON'],
    ['a trailing comma', '{"a": 1,}', 'must be valid JSON'],
    ['single quotes', "{'a': 1}", 'must be valid JSON'],
    ['NaN', '{"a": NaN}', 'must be valid JSON'],
    ['Infinity', '{"a": Infinity}', 'must be valid JSON'],
    ['a bare word', 'origin', 'must be valid JSON'],
    ['two values', '{} {}', 'must be valid JSON'],
    ['an unescaped control character', '{"a": "\n"}', 'must be valid JSON'],
    ['a list', '[]', 'must be an object'],
    ['a list of itself', `[${sound}]`, 'must be an object'],
    ['null', 'null', 'must be an object'],
    ['a number', '7', 'must be an object'],
    ['a text', '"svc"', 'must be an object'],
    ['true', 'true', 'must be an object'],
    ['brackets in brackets without end', '['.repeat(20_000), 'must be valid JSON'],
    ['brackets in brackets', '['.repeat(20_000) + ']'.repeat(20_000), 'must be an object'],
  ])('%s is no body', async (_, body, problem) => {
    expect(await answerTo(operation, { body })).toEqual(badParameter('body', problem));
  });

  test.each(['surprise', 'a.b', 'a~b', 'a/b', 'a~1b', '/', '', 'toString', 'constructor', '__proto__', 'żółw'])(
    'an unknown field %s is named',
    async (name) => {
      const body = `{${JSON.stringify(name)}: 1, ${sound.slice(1)}`;
      expect(await answerTo(operation, { body })).toEqual(badParameter(name, NOT_KNOWN));
    },
  );

  test('an unknown query parameter is named', async () => {
    expect(await answerTo(operation, { body: sound, query: 'surprise=1' })).toEqual(
      badParameter('surprise', NOT_KNOWN),
    );
  });

  test('more than 64 KiB are too much, sound or not', async () => {
    const blanks = ' '.repeat(64 * 1024);
    const tooLarge = failure(413, 'payload_too_large');
    expect(await answerTo(operation, { body: sound + blanks })).toEqual(tooLarge);
    expect(await answerTo(operation, { body: blanks + blanks })).toEqual(tooLarge);
  });

  test('exactly 64 KiB are not', async () => {
    const { status } = await answerTo(operation, { body: sound.padEnd(64 * 1024) });
    expect(status).not.toBe(413);
  });

  test('more than 64 KiB do not fit through in small packing', async () => {
    const body = gzipSync(sound.padEnd(1024 * 1024));
    expect(body.length).toBeLessThan(2048);
    const answer = await answerTo(operation, { body, headers: { 'Content-Encoding': 'gzip' } });
    expect(answer).toEqual(failure(413, 'payload_too_large'));
  });

  test('packing that is none is a bad parameter', async () => {
    const answer = await answerTo(operation, { body: sound, headers: { 'Content-Encoding': 'gzip' } });
    expect(answer).toEqual(failure(400, 'bad_parameter'));
  });

  test.each<Record<string, string>>([
    { 'Content-Type': 'text/plain' },
    { 'Content-Type': 'application/xml' },
    { 'Content-Type': 'application/x-www-form-urlencoded' },
    { 'Content-Type': 'multipart/form-data; boundary=a' },
    { 'Content-Type': 'nonsense' },
    { 'Content-Type': 'application/json; charset=klingon' },
    { 'Content-Encoding': 'klingon' },
  ])('%j is a 415', async (headers) => {
    expect(await answerTo(operation, { body: sound, headers })).toEqual(failure(415, 'unsupported_media_type'));
  });

  test('a charset beside the type is fine', async () => {
    const { status } = await answerTo(operation, {
      body: sound,
      headers: { 'Content-Type': 'Application/JSON; Charset=UTF-8' },
    });
    expect(status).not.toBe(415);
  });
});

describe('no body', () => {
  const JSON_TYPE = { 'Content-Type': 'application/json' };

  test.each(['requestRide', 'updateDestination', 'rateRide'] as const)(
    'is a bad parameter for %s, which needs one',
    async (operation) => {
      const missing = badParameter('body', 'is required');
      expect(await answerTo(operation, { headers: JSON_TYPE })).toEqual(missing);
      expect(await answerTo(operation, {})).toEqual(missing);
    },
  );

  test('is fine for cancelRide, with a content type and without', async () => {
    expect(await answerTo('cancelRide', { headers: JSON_TYPE })).toMatchObject({ status: 404 });
    expect(await answerTo('cancelRide', {})).toMatchObject({ status: 404 });
  });
});

describe('a field is named by its path', () => {
  const place = (fields: string) => `{"origin": {${fields}}, "ride_type": "svc"}`;
  test.each([
    ['a number beyond all numbers', place('"lat": 1e999, "lng": 0'), 'origin.lat', expect.any(String)],
    ['and below them', place('"lat": 0, "lng": -1e999'), 'origin.lng', expect.any(String)],
    ['null', place('"lat": null, "lng": 0'), 'origin.lat', 'must be a number'],
    ['NUL', place('"lat": 0, "lng": 0, "address": "a\\u0000b"'), 'origin.address', UNSTORABLE],
    ['half a surrogate pair', place('"lat": 0, "lng": 0, "address": "\\ud83d"'), 'origin.address', UNSTORABLE],
    ['the other half', place('"lat": 0, "lng": 0, "address": "\\ude00"'), 'origin.address', UNSTORABLE],
    ['an unknown field', place('"lat": 0, "lng": 0, "city": "a"'), 'origin.city', NOT_KNOWN],
  ])('%s', async (_, body, name, problem) => {
    expect(await answerTo('requestRide', { body })).toEqual(badParameter(name, problem));
  });

  test.each([
    ['updateDestination', '{"lat": 1e999, "lng": 0}', 'lat'],
    ['updateDestination', '{"lat": 0, "lng": 0, "address": "\\u0000"}', 'address'],
    ['rateRide', '{"rating": 1e999}', 'rating'],
    ['rateRide', '{"rating": 5, "tip": {"amount": 1e999, "currency": "USD"}}', 'tip.amount'],
    ['rateRide', '{"rating": 5, "feedback": "\\udc00"}', 'feedback'],
    ['cancelRide', '{"cancel_confirmation_token": "\\u0000"}', 'cancel_confirmation_token'],
  ] as const)('%s of %s', async (operation, body, name) => {
    expect(await answerTo(operation, { body })).toEqual(badParameter(name, expect.any(String)));
  });

  test('whole pairs of surrogates are text', async () => {
    const body = JSON.stringify({ ...REQUEST, origin: { ...FERRY_BUILDING, address: '😀' } });
    expect(await answerTo('requestRide', { body })).toMatchObject({ status: 201, body: { origin: { address: '😀' } } });
  });
});
