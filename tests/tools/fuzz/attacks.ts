import fc from 'fast-check';
import type { OperationId } from '../../../generated/server.ts';
import { type Field, fieldsOf } from '../../../scripts/contract/fields.ts';
import { parsed } from '../../support/parsed.ts';
import { texts } from '../values/random.ts';
import { wrongValues } from '../values/wrong.ts';
import { type Attack, type Expected, FACTS } from './attack.ts';
import { longRequests } from './long.ts';
import { soundAttacks } from './sound.ts';
import { type Way, waysOf, withField, withParameter } from './way.ts';

const made = new Map<OperationId, fc.Arbitrary<Attack>>();

/** Calls of an operation, most of them broken in one way. */
export function attacksOn(operation: OperationId): fc.Arbitrary<Attack> {
  const broken = () => fc.oneof(...brokenCalls(operation), ...longRequests(operation));
  const attacks =
    made.get(operation) ??
    fc.oneof({ weight: 2, arbitrary: soundAttacks(operation) }, { weight: 3, arbitrary: broken() });
  made.set(operation, attacks);
  return attacks;
}

/** Calls of an operation that are almost as large as the limits allow. */
export function longAttacksOn(operation: OperationId): fc.Arbitrary<Attack> {
  return fc.oneof(...longRequests(operation));
}

/** A lenient parser would accept some of these. */
const NEARLY_JSON = [
  ...['{', '}', '{"a":}', "{'a': 1}", '{"a": NaN}', '[1,]', '{"a": 1,}', 'undefined', '{} {}', '\u0000'],
  ...['{"a": "\n"}', '//'],
];

/**
 * Calls with a wrong value of a kind that has too many values to list. tests/http/parameters.test.ts tries every listed
 * value, and other tests there every kind of caller, method and media type.
 */
function brokenCalls(operation: OperationId): Way[] {
  const fields = fieldsOf(FACTS[operation]).filter(({ names }) => !names.includes('*'));
  const ways = fields.flatMap((field) =>
    field.location === 'body' ? wrongFields(operation, field) : wrongParameters(operation, field),
  );
  if (!FACTS[operation].body) return ways;
  const others = texts({ minLength: 1 }).filter((text) => parsed(text) === undefined);
  const noJson = fc.oneof(fc.constantFrom(...NEARLY_JSON), others);
  const send = (_: unknown, text: string) => ({ body: { type: 'application/json', text } });
  return [...ways, waysOf(operation)('invalid JSON', noJson, send, refused('body'), 4)];
}

function wrongParameters(operation: OperationId, { location, names: [name = ''], schema }: Field): Way[] {
  const way = waysOf(operation);
  const isOpen = operation === 'authorizeApplication';
  // its errors can come back in a redirect
  const expected: Expected = isOpen ? { kind: 'declared' } : refused(name);
  const kinds = isOpen ? [{ what: 'any text', more: texts() }] : wrongValues({ location, schema });
  const ways = kinds.flatMap(({ what, more }) =>
    more
      ? way<unknown>(
          `${name}: ${what}`,
          more,
          (draft, value) => withParameter(draft, location, name, `${value}`),
          expected,
        )
      : [],
  );
  if (location === 'path') return ways;
  const raw = fc.constantFrom('%ff', '%', '%c3%28', `1&${name}=1`);
  const garbled = way(
    `${name}: invalid UTF-8, or sent twice`,
    raw,
    ({ query }, value) => ({ query: query.filter(([other]) => other !== name), rawQuery: `${name}=${value}` }),
    expected,
  );
  return [...ways, garbled];
}

function wrongFields(operation: OperationId, { names, schema }: Field): Way[] {
  const way = waysOf(operation);
  const ways = wrongValues({ location: 'body', schema }).flatMap(({ what, more, at }) => {
    const expected = refused([...names, at ?? []].flat().join('.'));
    const says = `${names.join('.')}: ${what}`;
    return more ? way(says, more, (draft, value) => ({ body: withField(draft, names, value) }), expected) : [];
  });
  const { properties = {}, additionalProperties } = schema;
  if (additionalProperties !== false) return ways;
  const strange = fc
    .oneof(fc.constantFrom('__proto__', 'constructor', 'a/b', 'a.b', ''), texts({ minLength: 1, maxLength: 10 }))
    .filter((name) => !Object.hasOwn(properties, name));
  const unknown = way(
    'an unknown field',
    strange,
    (draft, name) => ({ body: withField(draft, [...names, name], 1) }),
    (name) => refused([...names, name].join('.')),
  );
  return [...ways, unknown];
}

function refused(name: string): Expected {
  return { kind: 'refused', name };
}
