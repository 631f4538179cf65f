import fc from 'fast-check';
import { MAX_BODY_BYTES, type OperationId } from '../../../../generated/server.ts';
import type { Schema } from '../../../../scripts/contract/bundle.ts';
import { parsed } from '../../../support/parsed.ts';
import { texts } from '../../values/random.ts';
import { wrongValues } from '../../values/wrong.ts';
import type { Draft, SentBody } from '../attack.ts';
import { FACTS, malformedCode } from '../contract.ts';
import { malformed, NOTHING, refused, STRANGER, unlistedWrongs, type Way, waysOf } from './way.ts';

type Path = readonly string[];

const JSON_TYPE = 'application/json';

export function wrongBodies(operation: OperationId): Way[] {
  const { body } = FACTS[operation];
  if (!body) return [];
  return [...wrongBytes(operation), ...wrongFields(operation, body.schema, []), ...wrongWhole(operation)];
}

/** A lenient parser would accept some of these. */
const NEARLY_JSON = [
  ...['{', '}', '{"a":}', "{'a': 1}", '{"a": NaN}', '[1,]', '{"a": 1,}', 'undefined', '{} {}', '\u0000'],
  ...['{"a": "\n"}', '//'],
];
const OTHER_TYPES = [
  ...['text/plain', 'application/xml', 'multipart/form-data; boundary=x', 'application/json; charset=utf-16'],
  ...['application/jsonp', 'json', '*/*', ''],
];

function wrongBytes(operation: OperationId): Way[] {
  const way = waysOf(operation);
  const ofBody = malformed(operation, 'body');
  const isOAuth = malformedCode(operation) === 'invalid_request';
  const unsupported = isOAuth ? refused(400, 'invalid_request') : refused(415, 'unsupported_media_type');
  const types = fc.constantFrom(...OTHER_TYPES, ...(isOAuth ? [] : ['application/x-www-form-urlencoded']));
  const noJson = fc.oneof(
    fc.constantFrom(...NEARLY_JSON),
    texts({ minLength: 1 }).filter((text) => parsed(text) === undefined),
  );
  const noText = fc.uint8Array({ minLength: 1, maxLength: 40 }).map((bytes) => [0xff, ...bytes]);
  const sizes = fc.integer({ min: MAX_BODY_BYTES + 1, max: MAX_BODY_BYTES + 5000 });
  const sent = (draft: Draft, body: SentBody): Draft => ({ ...draft, body });
  return [
    way('invalid JSON', noJson, (draft, text) => sent(draft, { type: JSON_TYPE, text }), ofBody, 4),
    way('invalid UTF-8', noText, (draft, bytes) => sent(draft, { type: JSON_TYPE, bytes }), ofBody),
    way(
      'an unsupported media type',
      types,
      (draft, type) => sent(draft, { type: type || null, text: '{}' }),
      unsupported,
      4,
    ),
    way(
      'a body above the size limit',
      sizes,
      (draft, blanks) => sent(draft, { type: JSON_TYPE, blanks }),
      refused(413, 'payload_too_large'),
      1,
    ),
    ...(FACTS[operation].body!.required ? [way('no body', NOTHING, ({ body: _, ...draft }) => draft, ofBody)] : []),
  ];
}

function wrongWhole(operation: OperationId): Way[] {
  const way = waysOf(operation);
  const { schema } = FACTS[operation].body!;
  const others = wrongValues({ location: 'body', schema: { type: 'object' } }).flatMap(({ values }) => values);
  const values = fc.constantFrom(...(schema.minProperties ? [{}] : []), ...others);
  const twice = (draft: Draft): Draft => {
    const [name = '', value] = Object.entries(valueIn(draft) as object)[0] ?? [];
    const field = `${JSON.stringify(name)}:${JSON.stringify(value)}`;
    return { ...draft, body: { type: JSON_TYPE, text: `{${field},${field}}` } };
  };
  const first = Object.keys(schema.properties ?? {})[0]!;
  // OAuth ignores unknown fields
  const isClosed = schema.additionalProperties === false;
  return [
    way(
      'a body that is not an object',
      values,
      (draft, value) => withValue(draft, value),
      malformed(operation, 'body'),
    ),
    ...(isClosed ? [way('a duplicate field', NOTHING, twice, malformed(operation, first))] : []),
  ];
}

function wrongFields(operation: OperationId, schema: Schema, path: Path): Way[] {
  const way = waysOf(operation);
  const { properties = {}, additionalProperties } = schema;
  const set = (draft: Draft, at: Path, value: unknown) => withValue(draft, changed(valueIn(draft), at, value));
  const ways = Object.entries(properties).flatMap(([name, field]): Way[] => {
    const here = [...path, name];
    const wrong = unlistedWrongs({ location: 'body', schema: field }).map(({ what, more, at }) => {
      const expected = malformed(operation, [...here, at ?? []].flat().join('.'));
      return way(`${here.join('.')}: ${what}`, more, (draft, value) => set(draft, here, value), expected);
    });
    return [...wrong, ...(field.properties ? wrongFields(operation, field, here) : [])];
  });
  if (additionalProperties !== false) return ways;
  const names = fc.oneof(
    fc.constantFrom(STRANGER, '__proto__', 'constructor', 'a/b', 'a.b', ''),
    texts({ minLength: 1, maxLength: 10 }),
  );
  const strange = names.filter((name) => !(name in properties) || name === 'constructor');
  const expected = (name: string) => malformed(operation, [...path, name].join('.'));
  return [...ways, way('an unknown field', strange, (draft, name) => set(draft, [...path, name], 1), expected)];
}

function withValue(draft: Draft, value: unknown): Draft {
  return { ...draft, body: { type: JSON_TYPE, value } };
}

export function valueIn({ body }: Draft): unknown {
  if (body === undefined || !('value' in body)) throw new Error('The draft has no JSON body.');
  return body.value;
}

/** A copy with a value at a path. An undefined value removes the field. */
export function changed(whole: unknown, [name, ...rest]: Path, value: unknown): unknown {
  if (name === undefined) return value;
  const fields = new Map(Object.entries(whole as object));
  const inner = changed(fields.get(name), rest, value);
  if (inner === undefined) fields.delete(name);
  else fields.set(name, inner);
  // fromEntries also creates an own field named __proto__
  return Object.fromEntries(fields);
}
