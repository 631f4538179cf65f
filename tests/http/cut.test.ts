import { expect, test } from 'vitest';
import { REQUESTS, type Schema } from '../../generated/requests.ts';
import { cut } from '../../server/http/cut.ts';
import { MOST_FAULTS } from '../../server/http/faults.ts';
import { OPERATION_IDS } from '../support/operations.ts';

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
