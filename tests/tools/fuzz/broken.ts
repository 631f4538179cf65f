import fc from 'fast-check';
import type { OperationId } from '../../../generated/server.ts';
import { type Field, fieldsOf } from '../../../scripts/contract/fields.ts';
import { parsed } from '../../support/parsed.ts';
import { texts } from '../values/random.ts';
import { wrongValues } from '../values/wrong.ts';
import type { Draft, Expected } from './attack.ts';
import { FACTS } from './contract.ts';
import { changed, valueIn, type Way, waysOf, withParameter } from './way.ts';

const JSON_TYPE = 'application/json';

/** A lenient parser would accept some of these. */
const NEARLY_JSON = [
  ...['{', '}', '{"a":}', "{'a': 1}", '{"a": NaN}', '[1,]', '{"a": 1,}', 'undefined', '{} {}', '\u0000'],
  ...['{"a": "\n"}', '//'],
];

/**
 * Calls with a wrong value of a kind that has too many values to list. tests/http/parameters.test.ts tries every listed
 * value, and other tests there every kind of caller, method and media type.
 */
export function brokenCalls(operation: OperationId): Way[] {
  const fields = fieldsOf(FACTS[operation]).filter(({ names }) => !names.includes('*'));
  const ways = fields.flatMap((field) =>
    field.location === 'body' ? wrongFields(operation, field) : wrongParameters(operation, field),
  );
  if (!FACTS[operation].body) return ways;
  const others = texts({ minLength: 1 }).filter((text) => parsed(text) === undefined);
  const send = (draft: Draft, text: string): Draft => ({ ...draft, body: { type: JSON_TYPE, text } });
  const noJson = fc.oneof(fc.constantFrom(...NEARLY_JSON), others);
  return [...ways, waysOf(operation)('invalid JSON', noJson, send, refused('body'), 4)];
}

function wrongParameters(operation: OperationId, { location, names: [name = ''], schema }: Field): Way[] {
  const way = waysOf(operation);
  const isOpen = operation === 'authorizeApplication';
  // its errors can come back in a redirect
  const expected: Expected = isOpen ? { kind: 'declared' } : refused(name);
  const kinds = isOpen ? [{ what: 'any text', more: texts() }] : wrongValues({ location, schema });
  const ways = kinds.flatMap(({ what, more }) => {
    const set = (draft: Draft, value: unknown) => withParameter(draft, location, name, String(value));
    return more ? [way<unknown>(`${name}: ${what}`, more, set, expected)] : [];
  });
  if (location === 'path') return ways;
  const raw = fc.constantFrom('%ff', '%', '%c3%28', `1&${name}=1`);
  const garbled = (draft: Draft, value: string): Draft => {
    return { ...draft, query: draft.query.filter(([other]) => other !== name), rawQuery: `${name}=${value}` };
  };
  return [...ways, way(`${name}: invalid UTF-8, or sent twice`, raw, garbled, expected)];
}

function wrongFields(operation: OperationId, { names, schema }: Field): Way[] {
  const way = waysOf(operation);
  const set = (draft: Draft, path: readonly string[], value: unknown): Draft => {
    return { ...draft, body: { type: JSON_TYPE, value: changed(valueIn(draft), path, value) } };
  };
  const ways = wrongValues({ location: 'body', schema }).flatMap(({ what, more, at }) => {
    const expected = refused([...names, at ?? []].flat().join('.'));
    return more ? [way(`${names.join('.')}: ${what}`, more, (draft, value) => set(draft, names, value), expected)] : [];
  });
  const { properties = {}, additionalProperties } = schema;
  if (additionalProperties !== false) return ways;
  const strange = fc
    .oneof(fc.constantFrom('__proto__', 'constructor', 'a/b', 'a.b', ''), texts({ minLength: 1, maxLength: 10 }))
    .filter((name) => !Object.hasOwn(properties, name));
  const add = (draft: Draft, name: string) => set(draft, [...names, name], 1);
  return [...ways, way('an unknown field', strange, add, (name) => refused([...names, name].join('.')))];
}

function refused(name: string): Expected {
  return { kind: 'refused', name };
}
