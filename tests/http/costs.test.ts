import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { REQUESTS, type Schema } from '../../generated/requests.ts';
import { MAX_BODY_BYTES, OPERATIONS, type OperationId, REQUEST_LIMITS } from '../../generated/server.ts';
import { LONGEST_CONTENT_TYPE } from '../../server/http/body.ts';
import { cut } from '../../server/http/cut.ts';
import { LONGEST_NAME, MOST_FAULTS } from '../../server/http/faults.ts';
import { decoded, isDecodable } from '../../server/http/percent.ts';
import { repeatedKeys } from '../../server/http/repeated-keys.ts';
import { CONSENT_PATHS } from '../../server/links.ts';
import { rawAnswerOf } from '../support/answers.ts';
import { queryOfRequest } from '../support/consent.ts';
import { LIVE_CLIENT } from '../support/oauth.ts';
import { OPERATION_IDS } from '../support/operations.ts';
import { FERRY_BUILDING } from '../support/places.ts';
import { rawCall } from '../support/raw-call.ts';
import { answerTo, lastHead } from '../support/raw-socket.ts';
import { testServer } from '../support/started.ts';

/*
 * The cost of a request is linear in its length. structure/regular-expressions.test.ts checks the patterns, and the
 * fuzzer measures the CPU time.
 */

const server = testServer('sqlite', { withPages: true });

async function answerOf(operation: OperationId, body: string | undefined, headers: Record<string, string> = {}) {
  const token = await server.newToken({ world: await server.newWorld() });
  const call = { token, headers, ...(body !== undefined && { body }) };
  return rawAnswerOf(await rawCall(server.baseUrl, operation, call));
}

const namesIn = ({ error_detail }: { error_detail: object[] }) => error_detail.flatMap((pair) => Object.keys(pair));
const ofLength = (part: string, length = MAX_BODY_BYTES - 100) => part.repeat(Math.floor(length / part.length));

test('the validator gets only one item more than a list may have', async () => {
  const place = `"lat": ${FERRY_BUILDING.lat}, "lng": ${FERRY_BUILDING.lng}`;
  const { status, body } = await answerOf('setRideTypes', `{${place}, "ride_types": [${ofLength('1,')}1]}`);
  const first = Array.from({ length: 51 }, (_, i) => `ride_types.${i}`);
  expect(status).toBe(400);
  expect(namesIn(body).sort()).toEqual(['ride_types', ...first].sort());
  expect(body.error_detail).toContainEqual({ ride_types: 'must have at most 50 items' });
});

describe('the body of a failure is short', () => {
  test.each([
    ['repeated keys, deeply nested', '{"a":1,"a":', '1', '}'],
    ['repeated keys, deep in lists', '[{"a":1,"a":', '1', '}]'],
    ['strings that cannot be stored, deeply nested', '{"\\ud800":"\\ud800","b":', '1', '}'],
  ])('for %s', async (_, opening, inner, closing) => {
    const times = Math.floor((MAX_BODY_BYTES - 10) / (opening.length + closing.length));
    const sent = opening.repeat(times) + inner + closing.repeat(times);
    const { status, body } = await answerOf('createWorld', sent);
    expect(status).toBe(400);
    expect(body.error_detail.length).toBeLessThanOrEqual(MOST_FAULTS);
    expect(Math.max(0, ...namesIn(body).map(({ length }) => length))).toBeLessThanOrEqual(LONGEST_NAME + '…'.length);
    expect(body.error_description.length).toBeLessThan(3 * LONGEST_NAME);
  });

  // bodies.test.ts checks the paths
  test('and the server builds no more paths than it needs', () => {
    const keys = Array.from({ length: 4000 }, (_, i) => `"k${i}":1,"k${i}":1`).join();
    expect(repeatedKeys(`{${keys}}`)).toHaveLength(MOST_FAULTS + 1);
  });
});

describe('the cost of a header is bounded', () => {
  test('a Content-Type is read up to a maximum length', async () => {
    const blanks = (length: number) => ({ 'Content-Type': `application/json${' '.repeat(length - 17)};` });
    expect((await answerOf('createWorld', '{}', blanks(LONGEST_CONTENT_TYPE))).status).toBe(201);
    expect(await answerOf('createWorld', '{}', blanks(LONGEST_CONTENT_TYPE + 1))).toMatchObject({
      status: 415,
      body: { error: 'unsupported_media_type' },
    });
  });

  test('the response validator does not read Accept, for successes or failures', async () => {
    const searched = vi.spyOn(String.prototype, 'matchAll');
    onTestFinished(() => searched.mockRestore());
    const headers = { Accept: `${ofLength(';', 1000)}, application/json` };
    expect((await answerOf('getWorld', undefined, headers)).status).toBe(200);
    expect((await answerOf('listRideTypes', undefined, headers)).status).toBe(400);
    expect((await answerOf('authorizeApplication', undefined, headers)).status).toBe(400);
    expect(searched.mock.contexts.map(String).filter((text) => text.includes(';;'))).toEqual([]);
  });
});

const TEXT: Schema = { type: 'string', maxLength: 3 };
const LIST: Schema = { type: 'array', maxItems: 2, items: TEXT };
const OBJECT: Schema = {
  type: 'object',
  properties: { text: TEXT, list: LIST, inner: { properties: { text: TEXT } } },
};
const many = (length: number) => Array.from({ length }, (_, i) => `n${i}`);

// parameters.test.ts sends the values that fit
test.each<[string, Schema, unknown, unknown]>([
  ['a text that is too long', TEXT, 'x'.repeat(60_000), 'x'.repeat(8)],
  ['a list that is too long', LIST, many(11_000), ['n0', 'n1', 'n2']],
  ['a list of lists', LIST, [many(9), [[[]]]], [[], []]],
  ['a list where a text belongs', TEXT, many(9), []],
  ['an object where a text belongs', TEXT, { a: { b: 1 } }, {}],
  ['an object in a list', LIST, [{ a: 1 }], [{}]],
  ['unknown fields', OBJECT, { a: { b: [1] }, inner: { c: {} } }, { a: null, inner: { c: null } }],
  ['a field with the name of an Object property', OBJECT, { constructor: { a: 1 } }, { constructor: null }],
])('cutting %s does not change why it is refused', (_, schema, value, expected) => {
  expect(cut(value, schema)).toEqual(expected);
});

test('one unknown field more is kept than are reported', () => {
  const sent = Object.fromEntries([...many(6000).map((name) => [name, 1]), ['text', 'a']]);
  const left = Object.keys(cut(sent, OBJECT) as object);
  expect(left).toEqual([...many(MOST_FAULTS + 1), 'text']);
});

test.each(OPERATION_IDS)('every list in the body of %s has a maximum', (operation) => {
  const { body } = REQUESTS[operation];
  expect(body === null ? [] : endlessListsIn(body, 'body')).toEqual([]);
});

function endlessListsIn({ items, maxItems, properties = {} }: Schema, name: string): string[] {
  const inside = Object.entries({ ...properties, ...(items && { items }) });
  const here = items !== undefined && maxItems === undefined ? [name] : [];
  return [...here, ...inside.flatMap(([field, schema]) => endlessListsIn(schema, `${name}.${field}`))];
}

/** In characters. The other headers take the rest of the head. */
const IN_HEAD = REQUEST_LIMITS.headBytes - 1000;
/** In bytes. Page forms may be half as large as other bodies. */
const IN_BODY = MAX_BODY_BYTES / 2 - 100;

const FORM = 'Content-Type: application/x-www-form-urlencoded';
const AUTHORIZE = `${OPERATIONS.authorizeApplication.path}?${queryOfRequest()}`;
const RIDE_TYPES = OPERATIONS.listRideTypes.path;

const numbered = (part: (i: number) => string, length: number) =>
  Array.from({ length: length / part(1000).length }, (_, i) => part(i)).join('');

/** The result of decodeURIComponent, or null if it throws. */
function decodedByNode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

test('decoding agrees with decodeURIComponent', () => {
  const escaped = (bytes: readonly number[]) => bytes.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const others = (texts: readonly string[]) => texts.filter((text) => decoded(text) !== decodedByNode(text));
  const every = Array.from({ length: 256 }, (_, i) => i);
  expect(others(every.flatMap((a) => [escaped([a]), ...every.map((b) => escaped([a, b]))]))).toEqual([]);
  // three and four bytes at the edges of each range
  const edges = [0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed];
  const first = [...edges, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff];
  const three = first.flatMap((a) => first.flatMap((b) => first.map((c) => [a, b, c])));
  expect(others(three.map(escaped))).toEqual([]);
  const four = three.filter(([a]) => a! >= 0xef).flatMap((some) => [0x7f, 0x80, 0xbf, 0xc0].map((d) => [...some, d]));
  expect(others(four.map(escaped))).toEqual([]);
  const mixed = [
    ...['', 'a', '%', '%%', '%4', '%4g', '%g4', '%%41', '%41%', '%4%41', '%%41%41', '%u0041', '%C3%A9', '%c3%a9'],
    ...['%e2%82%ac', '%e2%82', 'é%c3', '\ud800', '\ud800%41', '%c3x%a9', '%0a', '%00', '😀%f0%9f%98%80', '+%2B'],
  ];
  expect(others(mixed)).toEqual([]);
  expect(mixed.map(isDecodable)).toEqual(mixed.map((text) => decodedByNode(text) !== null));
});

const inForm = (fields: string, ...lines: string[]) => ({ lines: [FORM, ...lines], body: fields });
const asClient = `Authorization: ${LIVE_CLIENT.Authorization}`;
const grantWith = (part: string) => inForm(`grant_type=client_credentials${ofLength(part, IN_BODY)}`, asClient);
const signIn = `${CONSENT_PATHS.signIn}?${queryOfRequest()}`;
const cookies = `Cookie: ${numbered((i) => `a${i}=%;`, IN_HEAD - AUTHORIZE.length)}`;
const authorizing = (wrong: string) => `${AUTHORIZE}${wrong}${ofLength('&%', IN_HEAD - AUTHORIZE.length - 50)}`;

// each failed decoding costs an exception
test.each<[string, number, target: string, { readonly lines?: readonly string[]; readonly body?: string }?]>([
  ...['%/', '%ff/', '%41%/'].map((part): [string, number, string] => ['a path', 404, `/${ofLength(part, IN_HEAD)}`]),
  ...['%&', '%=%&', 'lat=%&', 'lat%=%ff&'].map((part): [string, number, string] => {
    return ['a query', 400, `${RIDE_TYPES}?${ofLength(part, IN_HEAD)}`];
  }),
  ['an authorization request', 200, authorizing('')],
  ['a wrong authorization request', 400, authorizing('&response_type=%')],
  ['cookies', 200, AUTHORIZE, { lines: [cookies] }],
  ['unknown fields of a form', 200, OPERATIONS.createToken.path, grantWith('&%')],
  ['invalid fields of a form', 200, OPERATIONS.createToken.path, grantWith('&%zz=%ff')],
  ['a field of a form', 400, OPERATIONS.createToken.path, grantWith('&scope=%')],
  ['a page form', 400, signIn, inForm(ofLength('%&', IN_BODY), 'Cookie: ridehail_csrf=x')],
])('invalid percent-encodings cause no exceptions in %s, which gets %i', async (_, status, target, sent = {}) => {
  const { lines = [], body = '' } = sent;
  const token = await server.newToken({ world: await server.newWorld() });
  const known = target.startsWith(RIDE_TYPES) ? [`Authorization: Bearer ${token}`] : lines;
  const head = lastHead(body === '' ? 'GET' : 'POST', target, [...known, `Content-Length: ${body.length}`]);
  const decode = vi.spyOn(globalThis, 'decodeURIComponent');
  onTestFinished(() => decode.mockRestore());
  const answer = await answerTo(server.baseUrl, head + body);
  const failed = decode.mock.results.filter(({ type }) => type === 'throw').length;
  expect([answer.status, failed]).toEqual([status, 0]);
});
