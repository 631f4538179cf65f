import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { REQUESTS } from '../../generated/requests.ts';
import { MAX_BODY_BYTES, OPERATIONS, type OperationId } from '../../generated/server.ts';
import { LONGEST_NAME, MOST_FAULTS } from '../../server/http/faults.ts';
import { repeatedKeys } from '../../server/http/repeated-keys.ts';
import { isStorable, unstorableIn } from '../../server/http/unstorable.ts';
import { failure, rawAnswerOf } from '../support/answers.ts';
import { everythingStored } from '../support/everything-stored.ts';
import { LIVE_CLIENT, sendTo } from '../support/oauth.ts';
import { acceptedCall } from '../support/operation-facts.ts';
import { FERRY_BUILDING } from '../support/places.ts';
import { type RawCall, rawCall } from '../support/raw-call.ts';
import { testServer } from '../support/started.ts';

/** For each operation with a body, one of its text fields. */
const TEXTS = {
  createToken: 'code',
  revokeToken: 'token',
  revokeRefreshToken: 'token',
  requestRide: 'ride_type',
  updateDestination: 'address',
  rateRide: 'feedback',
  cancelRide: 'cancel_confirmation_token',
} as const satisfies Partial<Record<OperationId, string>>;
type BodyOperation = keyof typeof TEXTS;

type Body = string | Buffer<ArrayBuffer>;
type Sound = Readonly<Record<string, unknown>>;
type Headers = Readonly<Record<string, string>>;
/** The parameters at fault, or the status of an error without parameters. */
type Refusal = 413 | 415 | ReadonlyArray<Readonly<Record<string, unknown>>>;
/** Bodies that the server must refuse in the same way. */
type Hostile = readonly [refusal: Refusal, bodies: readonly Body[], headers?: Headers];

const NO_JSON = [{ body: 'must be valid JSON' }];
const NO_OBJECT = [{ body: 'must be an object' }];
const NO_UTF_8 = [{ body: 'must be UTF-8' }];
const FORM = 'application/x-www-form-urlencoded';

const typed = (type: string) => ({ 'Content-Type': type });
const deep = (inner: string) => `${'['.repeat(30_000)}${inner}${']'.repeat(30_000)}`;
const deepObject = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`;

/**
 * Bodies that hide a valid body where the server must not read it. @param sound a body that the operation accepts
 * @param text the name of a text field in it @param none a body that counts as none, unless the operation needs one
 */
function hostileTo(sound: Sound, text: string, none: readonly string[]): Hostile[] {
  const json = JSON.stringify(sound);
  const [key = ''] = Object.keys(sound);
  const escapedKey = `\\u00${key.charCodeAt(0).toString(16)}${key.slice(1)}`;
  const beside = (field: string) => `{${field}, ${json.slice(1)}`;
  const withText = (value: string) => JSON.stringify({ ...sound, [text]: '|' }).replace('"|"', `"${value}"`);
  const notUtf8 = Buffer.concat([Buffer.from(beside('"x": "')), Buffer.from([0xff])]);
  const nearlyJson = [
    "'x': 1",
    '"x": y',
    '"x": NaN',
    '"x": -Infinity',
    '"x": 0x10',
    '"x": 01',
    `"x": ${'['.repeat(30_000)}`,
  ];
  const cut = json.slice(0, -1);
  const types = ['text/plain', 'application/xml', 'multipart/form-data; boundary=a', 'nonsense', 'application/jsonp'];
  return [
    [
      [{ [key]: 'must be sent only once' }],
      [beside(`"${key}": ${JSON.stringify(sound[key])}`), beside(`"${escapedKey}": 1`)],
    ],
    [NO_UTF_8, [notUtf8, Buffer.from(`\ufeff${json}`, 'utf16le'), gzipSync(json)]],
    // JSON is in UTF-8, even if its charset names another encoding
    [NO_UTF_8, [Buffer.from(`\ufeff${json}`, 'utf16le')], typed('application/json; charset=utf-16le')],
    [NO_OBJECT, [`[${json}]`, JSON.stringify(json), deep(json), ...none, '7', 'true', '[]']],
    [NO_JSON, [`\ufeff\ufeff${json}`, `${json} x`, json + json, cut, `${cut},}`, `/* */ ${json}`, withText('a\nb')]],
    [NO_JSON, nearlyJson.map(beside)],
    // the error also names the missing fields, so any list matches
    [expect.any(Array), [`{"__proto__": ${json}, "x": 1}`, `{"constructor": {"prototype": ${json}}, "x": 1}`]],
    [expect.any(Array), [`{"${key}": ${deepObject}}`]],
    [
      [{ [text]: 'must be valid Unicode text without NUL characters' }],
      ['a\\u0000b', '\\ud83d', '\\ude00\\ud83d'].map(withText),
    ],
    [413, [json.padEnd(MAX_BODY_BYTES + 1), ' '.repeat(2 ** 20)]],
    ...[...types, 'application/json, text/plain', ''].map((type): Hostile => [415, [json], typed(type)]),
  ];
}

/** More bodies, for operations that refuse unknown fields and take no forms. */
function hostileToClosed(sound: Sound): Hostile[] {
  const json = JSON.stringify(sound);
  const names = ['a/b', 'a.b', 'a~b', 'a~1b', '/', '', 'żółw'];
  const unknown = (...fields: readonly string[]) =>
    fields.map((name) => ({ [name]: 'is not a parameter of this operation' }));
  const objects = Object.entries(sound).filter((entry): entry is [string, object] => typeof entry[1] === 'object');
  return [
    ...names.map((name): Hostile => [unknown(name), [JSON.stringify({ [name]: 1, ...sound })]]),
    [unknown('x'), [`{"x": ${deep('')}, ${json.slice(1)}`, `{"x": ${deepObject}, ${json.slice(1)}`]],
    ...objects.flatMap(([place, value]) => {
      const within = (name: string) => ({ ...sound, [place]: { ...value, [name]: 1 } });
      const pairs = [
        ['x', `${place}/x`],
        ['', ''],
        ['', '/'],
      ] as const;
      return [
        ...names.map((name): Hostile => [unknown(`${place}.${name}`), [JSON.stringify(within(name))]]),
        ...pairs.map(([inner, outer]): Hostile => {
          const both = expect.arrayContaining(unknown(`${place}.${inner}`, outer));
          return [both, [JSON.stringify({ ...within(inner), [outer]: 1 })]];
        }),
      ];
    }),
    [415, [json], typed(FORM)],
  ];
}

const server = testServer('sqlite', { rateLimitMultiplier: 1000 });

const isOAuth = (operation: BodyOperation) => OPERATIONS[operation].tag === 'Tokens';

function answerTo(operation: BodyOperation, refusal: Refusal) {
  if (refusal === 413) return failure(413, 'payload_too_large');
  const detail = refusal === 415 ? [] : refusal;
  if (isOAuth(operation)) return failure(400, 'invalid_request', detail);
  return refusal === 415 ? failure(415, 'unsupported_media_type') : failure(400, 'bad_parameter', detail);
}

test.each(Object.keys(TEXTS) as BodyOperation[])(
  '%s refuses a hostile body, changes nothing, and still accepts a valid one',
  async (operation) => {
    const accepted = await acceptedCall(operation, server);
    const text = TEXTS[operation];
    const sound = { [text]: 'a text', ...JSON.parse(String(accepted.body)) };
    const send = async ({ body, headers }: RawCall) => {
      const call = { ...accepted, headers: { ...accepted.headers, ...headers }, body };
      return rawAnswerOf(await rawCall(server.baseUrl, operation, call));
    };
    const before = await everythingStored(server.store);
    const hostile = [
      ...hostileTo(sound, text, REQUESTS[operation].needsBody ? ['null'] : []),
      ...(isOAuth(operation) ? [] : hostileToClosed(sound)),
    ];
    for (const [refusal, bodies, headers = {}] of hostile) {
      const expected = answerTo(operation, refusal);
      for (const body of bodies) {
        expect(await send({ body, headers }), JSON.stringify([String(body).slice(0, 200), headers])).toEqual(expected);
      }
    }
    expect(await everythingStored(server.store)).toEqual(before);
    // the largest body that the server accepts
    const { status } = await send({ body: JSON.stringify(sound).padEnd(MAX_BODY_BYTES) });
    expect(status).toBe(OPERATIONS[operation].successStatus);
    expect(await everythingStored(server.store)).not.toEqual(before);
  },
);

/** A JSON value, in which an object is a list of entries, so that a key can repeat. */
type Tree = string | { readonly list: readonly Tree[] } | { readonly entries: readonly [key: string, value: Tree][] };

const LEAVES = ['1', 'null', '"a"', '"\\""', '"{[,:]}"', '"a\\\\"'];
const KEYS = ['a', 'b', '', '0', '"', '\\', '__proto__', 'ü', 'x'.repeat(LONGEST_NAME)];

const trees = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.constantFrom(...LEAVES),
    fc.record({ list: fc.array(tie('tree'), { maxLength: 4 }) }),
    fc.record({ entries: fc.array(fc.tuple(fc.constantFrom(...KEYS), tie('tree')), { maxLength: 4 }) }),
  ),
})).tree;

/** @param isEscaped whether each character of a key is written as an escape, which names the same key */
function jsonOf(tree: Tree, isEscaped: boolean): string {
  if (typeof tree === 'string') return tree;
  if ('list' in tree) return `[ ${tree.list.map((one) => jsonOf(one, isEscaped)).join(' , ')} ]`;
  return `{${tree.entries.map(([key, value]) => `${quoted(key, isEscaped)} : ${jsonOf(value, isEscaped)}`).join(',')}}`;
}

function quoted(key: string, isEscaped: boolean): string {
  if (!isEscaped) return JSON.stringify(key);
  return `"${[...key].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`;
}

function pathsIn(tree: Tree, path: readonly (string | number)[] = []): string[] {
  if (typeof tree === 'string') return [];
  if ('list' in tree) return tree.list.flatMap((one, index) => pathsIn(one, [...path, index]));
  return tree.entries.flatMap(([key, value], index) => {
    const here = [...path, key];
    const isRepeated = tree.entries.slice(0, index).some(([other]) => other === key);
    return [...(isRepeated ? [here.join('.').slice(0, LONGEST_NAME + 1)] : []), ...pathsIn(value, here)];
  });
}

test('every repeated key is found once, by its path, however it is written', () => {
  fc.assert(
    fc.property(trees, fc.boolean(), (tree, isEscaped) => {
      const expected = [...new Set(pathsIn(tree))].slice(0, MOST_FAULTS + 1);
      expect(repeatedKeys(jsonOf(tree, isEscaped))).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});

test('a body is storable if all its texts are', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '\0', '\ud83d', '\ude00', '🚗') });
  fc.assert(
    fc.property(fc.object({ values: [text, fc.integer(), fc.constant(null)] }), (value) => {
      expect(isStorable(value)).toBe(unstorableIn(value).length === 0);
    }),
  );
});

describe('text', () => {
  const request = async (body: string, headers: Headers = {}) => {
    const { token } = await server.newRider(await server.newWorld());
    return rawAnswerOf(await rawCall(server.baseUrl, 'requestRide', { token, body, headers }));
  };
  const bodyAt = (address: string) => JSON.stringify({ origin: { ...FERRY_BUILDING, address }, ride_type: 'svc' });

  test.each(['', '\ufeff'])('in UTF-8 arrives as it was sent, without a byte order mark: %j', async (mark) => {
    const address = 'Żółw 😀 \u2028 日本 {"lat": 1, lat \\';
    expect(await request(mark + bodyAt(address))).toMatchObject({ status: 201, body: { origin: { address } } });
  });

  test.each([
    'application/json; charset=utf-8',
    'Application/JSON; Charset="UTF-8"',
    'application/json;charset=utf-8;profile=x',
    'application/json; profile="a;b"; charset=utf-8',
    ...['utf8', 'iso-8859-1', '"utf-16"', '""'].map((name) => `application/json; charset=${name}`),
    ' application/json ; version=1',
  ])('with the type %s is accepted', async (type) => {
    expect(await request(bodyAt('Dolores Park'), typed(type))).toMatchObject({ status: 201 });
  });
});

describe('OAuth', () => {
  const answerIn = async (type: string, body: Body) => {
    const call = { headers: { ...LIVE_CLIENT, ...typed(type) }, body };
    const { status, body: answer } = await sendTo(server, 'createToken', call);
    return { status, body: answer };
  };

  test.each([
    ...['"x": "\\u0000"', '"x": "\\ud800"', '"x": 1e999', '"toString": null, "hasOwnProperty": 1'],
    ...['"__proto__": {"scope": "rides.read"}', '"constructor": {"prototype": {"scope": "rides.read"}}'],
  ])('ignores unknown parameters in JSON: %s', async (unknown) => {
    const answer = await answerIn('application/json', `{"grant_type": "client_credentials", ${unknown}}`);
    expect(answer).toMatchObject({ status: 200, body: { scope: 'public' } });
  });

  test.each(['x=%00', 'x=%ff', '__proto__=1', 'constructor[prototype][scope]=rides.read', 'toString', '=', 'a=1&a=2'])(
    'ignores unknown parameters in a form: %s',
    async (unknown) => {
      const answer = await answerIn(FORM, `grant_type=client_credentials&${unknown}`);
      expect(answer).toMatchObject({ status: 200, body: { scope: 'public' } });
    },
  );

  test.each<[string, Refusal]>([
    ['grant%5Ftype=client_credentials', [{ grant_type: 'must be sent only once' }]],
    ['scope=%e4', [{ scope: 'must be percent-encoded UTF-8' }]],
    ['x=\xe4', NO_UTF_8],
  ])('refuses a form with %s', async (more, detail) => {
    const form = Buffer.from(`grant_type=client_credentials&${more}`, 'latin1');
    expect(await answerIn(FORM, form)).toEqual(answerTo('createToken', detail));
  });
});
