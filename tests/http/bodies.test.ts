import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { OPERATIONS, type OperationId } from '../../generated/server.ts';
import { failure, rawAnswerOf } from '../support/answers.ts';
import { LIVE_CLIENT, sendTo } from '../support/oauth.ts';
import { pathOf } from '../support/operations.ts';
import { DOLORES_PARK, FERRY_BUILDING } from '../support/places.ts';
import { rawCall } from '../support/raw-call.ts';
import { testServer } from '../support/started.ts';

const server = testServer('sqlite');

type Body = string | Buffer<ArrayBuffer>;
const REQUEST = JSON.stringify({ origin: FERRY_BUILDING, destination: DOLORES_PARK, ride_type: 'svc' });
const at = '"lat": 37.7955, "lng": -122.3937';
const GRANT = JSON.stringify({ grant_type: 'client_credentials' });
const FORM = 'application/x-www-form-urlencoded';
const ONCE = 'must be sent only once';

/** The response to a new passenger. A ride in the path does not exist. */
async function answerTo(operation: OperationId, body: Body | undefined, headers: Record<string, string> = {}) {
  const { token } = await server.newRider(await server.newWorld());
  const response = await rawCall(server.baseUrl, operation, {
    token,
    path: { ride_id: 'ride-1' },
    headers,
    ...(body !== undefined && { body }),
  });
  return rawAnswerOf(response);
}

async function tokenAnswerTo(body: Body, headers: Record<string, string> = {}) {
  const answer = await sendTo(server, 'createToken', { headers: { ...LIVE_CLIENT, ...headers }, body });
  return { status: answer.status, body: answer.body };
}

const refused = (detail: Record<string, unknown>[]) => failure(400, 'bad_parameter', detail);
const tokenRefused = (detail: Record<string, unknown>[]) => failure(400, 'invalid_request', detail);

describe('a repeated key', () => {
  const place = JSON.stringify(FERRY_BUILDING);
  test.each<[OperationId, string, string[]]>([
    ['requestRide', '{"ride_type": "svc", "origin": {"lat": 1, "lng": 2, "l\\u0061t": 1}}', ['origin.lat']],
    [
      'requestRide',
      `{"ride_type": "svc", "origin": ${place}, "origin": {"lat": 1, "lat": 2}}`,
      ['origin', 'origin.lat'],
    ],
    ['rateRide', '{"rating": 5, "tip": {"amount": 1, "amount": 100, "currency": "USD"}}', ['tip.amount']],
    ['cancelRide', '{"a": [{"b": 1}, {"b": 1, "b": 2}, 0]}', ['a.1.b']],
    ['cancelRide', '{"__proto__": 1, "__proto__": 2}', ['__proto__']],
  ])('in %s is refused: %s', async (operation, body, names) => {
    expect(await answerTo(operation, body)).toEqual(refused(names.map((name) => ({ [name]: ONCE }))));
  });

  test('in a form is refused, unless the parameter is unknown', async () => {
    const type = { 'Content-Type': FORM };
    const grant = 'grant_type=client_credentials';
    expect(await tokenAnswerTo(`${grant}&grant%5Ftype=client_credentials`, type)).toEqual(
      tokenRefused([{ grant_type: ONCE }]),
    );
    expect(await tokenAnswerTo(`${grant}&a=1&a=2`, type)).toMatchObject({ status: 200 });
  });

  test('is found below thirty thousand brackets, without false positives', async () => {
    const nested = (inner: string) =>
      `{"grant_type": "client_credentials", "x": ${'['.repeat(30_000)}${inner}${']'.repeat(30_000)}}`;
    expect(await tokenAnswerTo(nested('{"a": 1}'))).toMatchObject({ status: 200 });
    const { status, body } = await tokenAnswerTo(nested('{"a": 1, "a": 1}'));
    expect({ status, body }).toEqual(tokenRefused([expect.any(Object)]));
    expect(Object.keys(body.error_detail[0])[0]).toMatch(/^x(\.0){49}\.…$/);
  });

  test.each([
    ['in two objects', `{"origin": ${place}, "destination": ${JSON.stringify(DOLORES_PARK)}, "ride_type": "svc"}`],
    ['inside a string', `{"origin": {${at}, "address": "{\\"lat\\": 1, lat"}, "ride_type": "svc"}`],
    ['next to a string that ends with a backslash', `{"origin": {${at}, "address": "\\\\"}, "ride_type": "svc"}`],
  ])('is accepted %s', async (_, body) => {
    expect(await answerTo('requestRide', body)).toMatchObject({ status: 201 });
  });
});

describe('text', () => {
  const NOT_UTF_8 = [{ body: 'must be UTF-8' }];
  const withAddress = (bytes: number[]) => {
    const [head, tail] = JSON.stringify({ origin: { ...FERRY_BUILDING, address: '|' }, ride_type: 'svc' }).split('|');
    return Buffer.concat([Buffer.from(head!), Buffer.from(bytes), Buffer.from(tail!)]);
  };

  test.each([
    ['a Latin-1 letter', [0xe4]],
    ['bytes that UTF-8 never uses', [0xff, 0xfe]],
    ['a lone continuation byte', [0x80]],
    ['a truncated character', [0xf0, 0x9f, 0x98]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['half a surrogate pair', [0xed, 0xa0, 0x80]],
    ['a code point beyond Unicode', [0xf4, 0x90, 0x80, 0x80]],
  ])('with %s is not UTF-8', async (_, bytes) => {
    expect(await answerTo('requestRide', withAddress(bytes))).toEqual(refused(NOT_UTF_8));
  });

  test('that is not UTF-8 is also refused in an OAuth form', async () => {
    const form = Buffer.from('grant_type=client_credentials&x=\xe4', 'latin1');
    expect(await tokenAnswerTo(form, { 'Content-Type': FORM })).toEqual(tokenRefused(NOT_UTF_8));
    const encoded = { 'Content-Type': FORM };
    const problem = 'must be percent-encoded UTF-8';
    expect(await tokenAnswerTo('grant_type=client_credentials&scope=%e4', encoded)).toEqual(
      tokenRefused([{ scope: problem }]),
    );
  });

  test('in UTF-8 arrives as it was sent', async () => {
    const address = 'Żółw 😀 \u2028 日本';
    const answer = await answerTo('requestRide', withAddress([...Buffer.from(address)]));
    expect(answer).toMatchObject({ status: 201, body: { origin: { address } } });
  });

  test('may begin with a byte order mark, which is skipped', async () => {
    expect(await answerTo('requestRide', `\ufeff${REQUEST}`)).toMatchObject({ status: 201 });
  });

  test.each([
    'application/json; charset=utf-8',
    'Application/JSON; Charset="UTF-8"',
    'application/json;charset=utf-8;profile=x',
    'application/json; profile="a;b"; charset=utf-8',
    ' application/json ; version=1',
  ])('with the type %s is accepted', async (type) => {
    expect(await answerTo('requestRide', REQUEST, { 'Content-Type': type })).toMatchObject({ status: 201 });
  });
});

describe('a Content-Type', () => {
  test.each<Record<string, string>>([{}, { 'Content-Type': 'application/json' }, { 'Content-Type': 'text/plain' }])(
    'does not matter without a body, which is reported as missing: %j',
    async (headers) => {
      expect(await answerTo('rateRide', undefined, headers)).toEqual(refused([{ body: 'is required' }]));
    },
  );

  test('is required with a body', async () => {
    const { token } = await server.newRider(await server.newWorld());
    const { method, path } = OPERATIONS.rateRide;
    const call = { method, headers: { Authorization: `Bearer ${token}` }, body: Buffer.from('{"rating": 5}') };
    const response = await fetch(server.baseUrl + pathOf(path), call);
    expect(await rawAnswerOf(response)).toEqual(failure(415, 'unsupported_media_type'));
  });
});

describe('an unreadable OAuth body is an invalid_request', () => {
  test.each<[name: string, advice: string, value: string]>([
    ['Content-Type', `Send the body as application/json or ${FORM}, in UTF-8.`, 'nonsense'],
    ['Content-Type', `Send the body as application/json or ${FORM}, in UTF-8.`, `${FORM}; charset=iso-8859-1`],
    ...['zebra', 'gzip', 'deflate', 'br'].map((coding): [string, string, string] => [
      'Content-Encoding',
      'Send the body uncompressed.',
      coding,
    ]),
  ])('that names the %s, not a parameter: %s', async (name, advice, value) => {
    const call = { headers: { ...LIVE_CLIENT, [name]: value }, body: GRANT };
    for (const operation of ['createToken', 'revokeToken', 'revokeRefreshToken'] as const) {
      const { status, body } = await sendTo(server, operation, call);
      expect({ status, body }).toEqual(tokenRefused([]));
      expect(body.error_description).toBe(`The ${name} is not supported. ${advice}`);
    }
  });
});

test('3,000 times nothing, each compressed, is no body', async () => {
  const answer = await answerTo('requestRide', Buffer.concat(Array(3000).fill(gzipSync(''))), {
    'Content-Encoding': 'gzip',
  });
  expect(answer).toEqual(failure(400, 'bad_parameter', [{ body: 'is required' }]));
});

describe('OAuth ignores unknown parameters', () => {
  test.each([
    ['NUL', '"x": "\\u0000"'],
    ['half a surrogate pair', '"x": "\\ud800"'],
    ['__proto__', '"__proto__": {"scope": "rides.read"}'],
    ['constructor', '"constructor": {"prototype": {"scope": "rides.read"}}'],
    ['toString', '"toString": null, "hasOwnProperty": 1'],
    ['a number beyond the range of a double', '"x": 1e999'],
  ])('in JSON: %s', async (_, unknown) => {
    const answer = await tokenAnswerTo(`{"grant_type": "client_credentials", ${unknown}}`);
    expect(answer).toMatchObject({ status: 200, body: { scope: 'public' } });
  });

  test.each(['x=%00', 'x=%ff', '__proto__=1', 'constructor[prototype][scope]=rides.read', 'toString', '=', 'a=1&a=2'])(
    'in a form: %s',
    async (unknown) => {
      const answer = await tokenAnswerTo(`grant_type=client_credentials&${unknown}`, { 'Content-Type': FORM });
      expect(answer).toMatchObject({ status: 200, body: { scope: 'public' } });
    },
  );
});

describe('the description of an error', () => {
  const typed = { 'Content-Type': 'text/plain' };
  const packed = { 'Content-Encoding': 'compress' };
  const long = `{"lat": 1, "lng": 1, "address": "${'x'.repeat(501)}"}`;
  test.each<[string, string, Record<string, string>?]>([
    ['The body must be an object.', '[]'],
    ['The body must be valid JSON.', '{'],
    ['The body is required.', ''],
    ['The parameter lat is required. Another parameter is also wrong.', '{}'],
    ['The parameter lat must be a number; got "1".', '{"lat": "1", "lng": 1}'],
    ['The parameter lat must be between -90 and 90; got 91.', '{"lat": 91, "lng": 1}'],
    ['The parameter lng must be between -180 and 180; got -181.', '{"lat": 1, "lng": -181}'],
    ['The parameter address must be a string or null.', '{"lat": 1, "lng": 1, "address": {}}'],
    ['The parameter address must have at most 500 characters.', long],
    ['The parameter "a/b" is unknown.', '{"lat": 1, "lng": 1, "a/b": 1}'],
    ['The parameter lat must be sent only once.', '{"lat": 1, "lat": 1}'],
    ['The body is larger than 65536 bytes.', ' '.repeat(65_537)],
    ['The Content-Type is not supported. Send the body as application/json, in UTF-8.', '{}', typed],
    [
      'The Content-Encoding is not supported. Send the body uncompressed, or compressed with gzip or deflate.',
      '{}',
      packed,
    ],
    ['The body does not match the Content-Length or Content-Encoding header.', '{}', { 'Content-Encoding': 'gzip' }],
  ])('%s', async (sentence, body, headers) => {
    expect((await answerTo('updateDestination', body, headers)).body.error_description).toBe(sentence);
  });
});

describe('an unknown field is named by its path', () => {
  const NOT_KNOWN = 'is not a parameter of this operation';
  test.each<[string, string, Record<string, string>[]]>([
    ['in a place', `{"origin": {${at}, "a/b": 1}, "ride_type": "svc"}`, [{ 'origin.a/b': NOT_KNOWN }]],
    [
      'that looks like another',
      `{"origin": {${at}, "x": 1}, "ride_type": "svc", "origin/x": 1}`,
      [{ 'origin/x': NOT_KNOWN }, { 'origin.x': NOT_KNOWN }],
    ],
    [
      'escaped as JSON pointers escape',
      `{"origin": {${at}}, "ride_type": "svc", "a~1b~0c": 1}`,
      [{ 'a~1b~0c': NOT_KNOWN }],
    ],
    [
      'with an empty name, twice',
      `{"origin": {${at}, "": 1}, "ride_type": "svc", "": 1}`,
      [{ '': NOT_KNOWN }, { 'origin.': NOT_KNOWN }],
    ],
    [
      'next to one with an empty name',
      `{"origin": {${at}, "": 1}, "ride_type": "svc", "/": 1}`,
      [{ '/': NOT_KNOWN }, { 'origin.': NOT_KNOWN }],
    ],
    [
      'next to an object instead of a string',
      `{"origin": {${at}}, "ride_type": {"a": 1}, "": 1}`,
      [{ '': NOT_KNOWN }, { ride_type: 'must be a string; got an object' }],
    ],
  ])('%s', async (_, body, detail) => {
    const { status, body: answer } = await answerTo('requestRide', body);
    expect({ status, body: answer }).toEqual(failure(400, 'bad_parameter', expect.any(Array)));
    expect(answer.error_detail).toHaveLength(detail.length);
    expect(answer.error_detail).toEqual(expect.arrayContaining(detail));
  });
});
