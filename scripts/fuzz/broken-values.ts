import fc from 'fast-check';
import { type JsonSchema, resolved, typesOf } from './contract.ts';
import { texts } from './values.ts';

/** Values that a schema does not allow, with what is wrong with them. `at`: the part that is named for it. */
export interface Misfit {
  readonly what: string;
  readonly values: fc.Arbitrary<unknown>;
  readonly at?: string;
}

const OF_OTHER_TYPES: Readonly<Record<string, readonly unknown[]>> = {
  string: [7, true, [], {}, ['text']],
  integer: ['7', true, [], {}, 1.5],
  number: ['7', true, [], {}],
  boolean: ['true', 'yes', 1, 0, []],
  array: ['text', {}, 7, true],
  object: ['text', [], 7, true, [{}]],
};

/** In a body, where a value has its type. */
export function misfitsInBody(schema: JsonSchema): Misfit[] {
  const types = typesOf(schema);
  const [type = ''] = types.filter((other) => other !== 'null');
  const others: Misfit[] = [{ what: 'another type', values: fc.constantFrom(...OF_OTHER_TYPES[type]!) }];
  if (!types.includes('null')) others.push({ what: 'null', values: fc.constant(null) });
  if (type === 'string' && !schema.enum) others.push({ what: 'ill-formed text', values: ILL_FORMED });
  return [...others, ...misfitsOfType(type, schema), ...misfitsInList(schema)];
}

/** In a query or a path, where all is text. */
export function misfitsInText(schema: JsonSchema): Misfit[] {
  const [type = ''] = typesOf(schema);
  const others: Misfit[] = [];
  if (type === 'integer' || type === 'number') {
    const spellings = ['text', '', ' ', '0x10', '1_000', 'NaN', 'Infinity', '-Infinity', '1e999', '1,5', '٣', 'null'];
    others.push({ what: 'no number', values: fc.constantFrom(...spellings) });
  }
  if (type === 'integer') others.push({ what: 'a fraction', values: fc.constantFrom('1.5', '1.0', '1e0') });
  const same = misfitsOfType(type, schema).map(({ what, values }) => ({ what, values: values.map(String) }));
  return [...others, ...same];
}

const ILL_FORMED = fc
  .tuple(texts({ maxLength: 5 }), fc.constantFrom('\0', '\ud800', '\udfff'), texts({ maxLength: 5 }))
  .map((parts) => parts.join(''));

const NO_INSTANTS = [
  'yesterday',
  '',
  '2026-05-12',
  '2026-05-12T18:00:00',
  '2026-02-30T18:00:00Z',
  '2026-05-12T24:00:00Z',
  '2026-05-12T18:00:60Z',
  '12026-05-12T18:00:00Z',
  '1778608800',
];

function misfitsOfType(type: string, schema: JsonSchema): Misfit[] {
  const { minimum, maximum, minLength, maxLength, pattern, format, enum: choices, 'x-earliest': earliest } = schema;
  const found: Misfit[] = [];
  const is = (what: string, values: fc.Arbitrary<unknown>) => void found.push({ what, values });
  if (type === 'integer') {
    if (minimum !== undefined) is('too small', fc.integer({ min: -(2 ** 31), max: minimum - 1 }));
    if (maximum !== undefined) is('too large', fc.integer({ min: maximum + 1, max: 2 ** 31 - 1 }));
    if (format === 'int32') is('too large for 32 bits', fc.constantFrom(2 ** 31, 2 ** 53, 1e300));
  }
  if (type === 'number') {
    if (minimum !== undefined)
      is('too small', fc.double({ max: minimum, maxExcluded: true, noNaN: true, noDefaultInfinity: true }));
    if (maximum !== undefined)
      is('too large', fc.double({ min: maximum, minExcluded: true, noNaN: true, noDefaultInfinity: true }));
  }
  if (type !== 'string') return found;
  if (choices)
    is(
      'none of the choices',
      texts({ maxLength: 20 }).filter((text) => !choices.includes(text)),
    );
  if (minLength !== undefined && pattern === undefined) is('too short', texts({ maxLength: minLength - 1 }));
  if (maxLength !== undefined && format === undefined) {
    is(
      'too long',
      fc.nat(50).map((more) => 'x'.repeat(maxLength + 1 + more)),
    );
  }
  if (pattern !== undefined) {
    const doesNotFit = (text: string) => !new RegExp(pattern, 'u').test(text);
    is('not of the pattern', texts({ minLength: 1, maxLength: 70 }).filter(doesNotFit));
  }
  if (format === 'date-time') is('no instant', fc.constantFrom(...NO_INSTANTS));
  if (format === 'email') is('no e-mail address', fc.constantFrom('maya', '@', 'a b@example.com', 'maya@', ''));
  if (format === 'uri') is('no URL', fc.constantFrom('nowhere', '', 'http://a b/', '//example.com', '/path'));
  if (earliest !== undefined)
    is('too early', fc.constantFrom('2014-12-31T23:59:59Z', '1970-01-01T00:00:00Z', '0001-01-01T00:00:00Z'));
  return found;
}

function misfitsInList({ items, minItems = 0, maxItems, uniqueItems }: JsonSchema): Misfit[] {
  if (items === undefined) return [];
  const inside = misfitsInBody(resolved(items)).map(({ what, values }) => ({
    what: `in the list ${what}`,
    values: values.map((value) => [value]),
    at: '0',
  }));
  const found: Misfit[] = [...inside];
  if (minItems > 0) found.push({ what: 'an empty list', values: fc.constant([]) });
  if (maxItems !== undefined) {
    const many = Array.from({ length: maxItems + 1 }, (_, i) => `type-${i}`);
    found.push({ what: 'too long a list', values: fc.constant(many) });
  }
  const [choice = 'svc'] = resolved(items).enum ?? [];
  if (uniqueItems) found.push({ what: 'the same twice', values: fc.constant([choice, choice]) });
  return found;
}
