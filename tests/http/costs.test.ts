import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { REQUESTS, type Schema } from '../../generated/requests.ts';
import { MAX_BODY_BYTES, type OperationId } from '../../generated/server.ts';
import { LONGEST_CONTENT_TYPE } from '../../server/http/body.ts';
import { cut } from '../../server/http/cut.ts';
import { LONGEST_NAME, MOST_FAULTS } from '../../server/http/faults.ts';
import { repeatedKeys } from '../../server/http/repeated-keys.ts';
import { rawAnswerOf } from '../support/answers.ts';
import { OPERATION_IDS } from '../support/operations.ts';
import { FERRY_BUILDING } from '../support/places.ts';
import { rawCall } from '../support/raw-call.ts';
import { testServer } from '../support/started.ts';

/*
 * The cost of a request is linear in its length. structure/regular-expressions.test.ts checks the patterns, and the
 * fuzzer measures the CPU time.
 */

const server = testServer('sqlite');

async function answerTo(operation: OperationId, body: string | undefined, headers: Record<string, string> = {}) {
  const token = await server.newToken({ world: await server.newWorld() });
  const call = { token, headers, ...(body !== undefined && { body }) };
  return rawAnswerOf(await rawCall(server.baseUrl, operation, call));
}

const namesIn = ({ error_detail }: { error_detail: object[] }) => error_detail.flatMap((pair) => Object.keys(pair));
const ofLength = (part: string, length = MAX_BODY_BYTES - 100) => part.repeat(Math.floor(length / part.length));
const withTypes = (list: string) =>
  `{"lat": ${FERRY_BUILDING.lat}, "lng": ${FERRY_BUILDING.lng}, "ride_types": ${list}}`;

describe('the validator gets only as much as it needs', () => {
  test('one item more than a list may have', async () => {
    const { status, body } = await answerTo('setRideTypes', withTypes(`[${ofLength('1,')}1]`));
    const first = Array.from({ length: 51 }, (_, i) => `ride_types.${i}`);
    expect(status).toBe(400);
    expect(namesIn(body).sort()).toEqual(['ride_types', ...first].sort());
    expect(body.error_detail).toContainEqual({ ride_types: 'must have at most 50 items' });
  });
});

describe('the body of a failure is short', () => {
  test.each([
    ['repeated keys, deeply nested', '{"a":1,"a":', '1', '}'],
    ['repeated keys, deep in lists', '[{"a":1,"a":', '1', '}]'],
    ['strings that cannot be stored, deeply nested', '{"\\ud800":"\\ud800","b":', '1', '}'],
  ])('for %s', async (_, opening, inner, closing) => {
    const times = Math.floor((MAX_BODY_BYTES - 10) / (opening.length + closing.length));
    const sent = opening.repeat(times) + inner + closing.repeat(times);
    const { status, body } = await answerTo('createWorld', sent);
    expect(status).toBe(400);
    expect(body.error_detail.length).toBeLessThanOrEqual(MOST_FAULTS);
    expect(Math.max(0, ...namesIn(body).map(({ length }) => length))).toBeLessThanOrEqual(LONGEST_NAME + '…'.length);
    expect(body.error_description.length).toBeLessThan(3 * LONGEST_NAME);
  });

  test('and the server builds no longer paths, and no more of them, than the body needs', () => {
    const paths = repeatedKeys(`[${'{"a":1,"a":'.repeat(5000)}1${'}'.repeat(5000)}, {${'"b":1,'.repeat(2)}"b":1}]`);
    expect(paths.length).toBeGreaterThan(1);
    for (const path of paths) expect(path.length).toBeLessThanOrEqual(LONGEST_NAME + 1);
    const keys = Array.from({ length: 4000 }, (_, i) => `"k${i}":1,"k${i}":1`).join();
    expect(repeatedKeys(`{${keys}}`)).toHaveLength(MOST_FAULTS + 1);
  });
});

describe('the cost of a header is bounded', () => {
  test('a Content-Type is read up to a maximum length', async () => {
    const blanks = (length: number) => ({ 'Content-Type': `application/json${' '.repeat(length - 17)};` });
    expect((await answerTo('createWorld', '{}', blanks(LONGEST_CONTENT_TYPE))).status).toBe(201);
    expect(await answerTo('createWorld', '{}', blanks(LONGEST_CONTENT_TYPE + 1))).toMatchObject({
      status: 415,
      body: { error: 'unsupported_media_type' },
    });
  });

  test('the response validator does not read Accept, for successes or failures', async () => {
    const searched = vi.spyOn(String.prototype, 'matchAll');
    onTestFinished(() => searched.mockRestore());
    const headers = { Accept: `${ofLength(';', 1000)}, application/json` };
    expect((await answerTo('getWorld', undefined, headers)).status).toBe(200);
    expect((await answerTo('listRideTypes', undefined, headers)).status).toBe(400);
    expect((await answerTo('authorizeApplication', undefined, headers)).status).toBe(400);
    expect(searched.mock.contexts.map(String).filter((text) => text.includes(';;'))).toEqual([]);
  });
});

const TEXT: Schema = { type: 'string', maxLength: 3 };
const NULLABLE: Schema = { type: ['string', 'null'], maxLength: 3 };
const LIST: Schema = { type: 'array', maxItems: 2, items: TEXT };
const OBJECT: Schema = {
  type: 'object',
  properties: { text: TEXT, list: LIST, inner: { properties: { text: TEXT } } },
};
const many = (length: number) => Array.from({ length }, (_, i) => `n${i}`);

test.each<[string, Schema, unknown, unknown]>([
  ['a text that fits', TEXT, 'abc', 'abc'],
  ['a text of two-unit characters', TEXT, '🚗🚗🚗', '🚗🚗🚗'],
  ['a text that is too long', TEXT, 'x'.repeat(60_000), 'x'.repeat(8)],
  ['a text without a limit', { type: 'string' }, 'x'.repeat(60_000), 'x'.repeat(60_000)],
  ['a text where a number belongs', { type: 'number' }, 'text', 'text'],
  ['null', NULLABLE, null, null],
  ['a number', { type: 'integer' }, 1e300, 1e300],
  ['a list that fits', LIST, ['a', 'b'], ['a', 'b']],
  ['a list that is too long', LIST, many(11_000), ['n0', 'n1', 'n2']],
  ['a list of lists', LIST, [many(9), [[[]]]], [[], []]],
  ['a list where a text belongs', TEXT, many(9), []],
  ['an object where a text belongs', TEXT, { a: { b: 1 } }, {}],
  ['an object in a list', LIST, [{ a: 1 }], [{}]],
  ['known fields', OBJECT, { text: 'a', inner: { text: 'b' } }, { text: 'a', inner: { text: 'b' } }],
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
