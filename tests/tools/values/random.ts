import fc from 'fast-check';
import { nameOf, type Schema, typesOf } from '../../../scripts/contract/bundle.ts';
import { geography } from '../../../server/cities/geography.ts';
import { SECOND_MS } from '../../../server/domain/time.ts';
import { isInstant } from '../../../server/http/instants.ts';
import { FERRY_BUILDING } from '../../support/places.ts';

const MOST_OF_INT32 = 2 ** 31 - 1;
const END_OF_TIME = Date.UTC(2099, 11, 31);
const START_OF_TIME = Date.UTC(1970, 0, 1);
/** No server listens on this port. */
const CLOSED_PORT_URL = 'http://127.0.0.1:65530';

/** Places: mostly in a city, sometimes anywhere. */
export const places: fc.Arbitrary<{ readonly lat: number; readonly lng: number }> = fc.oneof(
  { weight: 3, arbitrary: near(FERRY_BUILDING, 0.03) },
  { weight: 2, arbitrary: fc.constantFrom(...geography.areas).chain(({ boundary }) => near(middleOf(boundary), 0.1)) },
  { weight: 1, arbitrary: fc.record({ lat: coordinate(90), lng: coordinate(180) }) },
);

const RIDE_TYPE_KEYS = [...geography.rideTypes.keys()];

/** Characters of any script, without lone surrogates and NUL. */
const CHARACTERS = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 0x20, max: 0x7e }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 0xd7ff }) },
  { weight: 1, arbitrary: fc.integer({ min: 0xe000, max: 0x10ffff }) },
);
const characters = CHARACTERS.map((code) => String.fromCodePoint(code));

export function texts(constraints: { readonly minLength?: number; readonly maxLength?: number } = {}) {
  return fc.string({ unit: characters, ...constraints });
}

/** Values that a schema accepts. */
export function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  if (nameOf(schema) === 'RideTypeKey') return rideTypes(schema);
  const { enum: choices, ...rest } = schema;
  if (choices) return fc.constantFrom(...choices);
  const [first, ...others] = typesOf(rest).map((type) => OF_TYPES[type]!(rest));
  return others.length === 0 ? first! : fc.oneof(first!, ...others);
}

const OF_TYPES: Readonly<Record<string, (schema: Schema) => fc.Arbitrary<unknown>>> = {
  null: () => fc.constant(null),
  boolean: () => fc.boolean(),
  integer: ({ minimum: min = -MOST_OF_INT32, maximum: max = MOST_OF_INT32 }) => fc.integer({ min, max }),
  number: ({ minimum: min = -1e9, maximum: max = 1e9 }) => fc.double({ min, max, noNaN: true }),
  string: strings,
  array: lists,
  object: objects,
};

function strings(schema: Schema): fc.Arbitrary<string> {
  const { format, pattern, maxLength, 'x-absent': absent = [], 'x-earliest': earliest } = schema;
  // if an empty value counts as absent, a required field cannot be empty
  const isNeeded = absent.includes('') && !typesOf(schema).includes('null');
  const minLength = isNeeded ? 1 : schema.minLength;
  if (isInstant(schema)) return instants(earliest);
  if (format === 'email') return fc.emailAddress();
  if (format === 'uri') return fc.webPath().map((path) => `${CLOSED_PORT_URL}${path}`);
  if (pattern === undefined) return texts({ minLength, maxLength: maxLength && Math.min(maxLength, 200) });
  const fits = (text: string) =>
    text.length >= (minLength ?? 0) && text.length <= (maxLength ?? Number.POSITIVE_INFINITY);
  return fc.stringMatching(new RegExp(pattern)).filter(fits);
}

/** Instants in the spellings that people and programs use. */
function instants(earliest?: string): fc.Arbitrary<string> {
  const min = earliest === undefined ? START_OF_TIME : Date.parse(earliest);
  const seconds = fc.integer({ min: Math.ceil(min / SECOND_MS), max: END_OF_TIME / SECOND_MS });
  return fc.tuple(seconds, fc.constantFrom('Z', '+00:00', '.5Z', '.123456+00:00')).map(([second, end]) => {
    return new Date(second * SECOND_MS).toISOString().replace(/\.000Z$/, end);
  });
}

export function rideTypes(schema: Schema): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant('svc') },
    { weight: 3, arbitrary: fc.constantFrom(...RIDE_TYPE_KEYS) },
    { weight: 1, arbitrary: valuesOf({ ...schema, $ref: undefined }) },
  );
}

function lists({ items = {}, minItems = 0, maxItems = 10, uniqueItems }: Schema) {
  const values = valuesOf(items);
  const constraints = { minLength: minItems, maxLength: Math.min(maxItems, 5) };
  return uniqueItems ? fc.uniqueArray(values, constraints) : fc.array(values, constraints);
}

function objects({ properties = {}, required = [], minProperties = 0 }: Schema) {
  const isThere = ([name, value]: [string, unknown]) => value !== null || properties[name]!['x-absent']?.length === 0;
  const model = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, valuesOf(schema)]));
  const made = fc
    .record(model, { requiredKeys: [...required], noNullPrototype: true })
    .filter((made) => Object.entries(made).filter(isThere).length >= minProperties);
  const hasPlace = 'lat' in properties && 'lng' in properties;
  return hasPlace ? fc.tuple(made, places).map(([made, place]) => ({ ...made, ...place })) : made;
}

function near({ lat, lng }: { readonly lat: number; readonly lng: number }, degrees: number) {
  const shift = fc.double({ min: -degrees, max: degrees, noNaN: true });
  return fc.record({ lat: shift.map((by) => lat + by), lng: shift.map((by) => lng + by) });
}

function middleOf(boundary: ReadonlyArray<readonly number[]>) {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return { lat: mean(boundary.map(([, lat]) => lat!)), lng: mean(boundary.map(([lng]) => lng!)) };
}

function coordinate(most: number) {
  return fc.double({ min: -most, max: most, noNaN: true });
}
