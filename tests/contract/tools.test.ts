import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import api from '../../generated/openapi.json' with { type: 'json' };
import in30 from '../../generated/openapi-3.0.json' with { type: 'json' };
import webhooks from '../../generated/webhooks.json' with { type: 'json' };
import { at, type Contract, METHODS, operationsOf, type Schema } from '../../scripts/contract/bundle.ts';
import { contract } from '../../scripts/contract/read.ts';
import { withFlatMembers } from '../../scripts/generate/bundle/flat-members.ts';
import { withAbsoluteLinks, withLocalLinks } from '../../scripts/generate/bundle/links.ts';

interface Found {
  /** The keys that lead to it. */
  readonly place: string;
  readonly node: Record<string, unknown>;
}

const KEYWORDS = ['const', 'exclusiveMinimum', 'exclusiveMaximum', 'if', 'patternProperties', 'prefixItems', '$defs'];

/** Some tools fail on these or ignore them silently. */
const TROUBLES: ReadonlyArray<readonly [string, (node: Found['node']) => boolean]> = [
  ...KEYWORDS.map((keyword) => [`schema with ${keyword}`, (node: Found['node']) => keyword in node] as const),
  ['enum values that differ only in case', ({ enum: values }) => Array.isArray(values) && repeatsName(values)],
  ['parameters of a path', (node) => METHODS.some((method) => method in node) && 'parameters' in node],
  [
    'relative link',
    ({ summary, description, ...node }) =>
      /\]\((?!http)/.test([summary, description, node['x-sandbox-recipe']].join('\n')),
  ],
  [
    'badge without a name or a label',
    ({ 'x-badges': badges = [] }) => (badges as object[]).some((badge) => !('name' in badge && 'label' in badge)),
  ],
];

describe.each([
  ['openapi.json', api],
  ['webhooks.json', webhooks],
])('%s', (_, document) => {
  const all = objectsIn(document, '#');

  test.each(TROUBLES)('has no %s', (_, isTrouble) => {
    expect(all.filter(({ node }) => isTrouble(node)).map(({ place }) => place)).toEqual([]);
  });

  test('has no allOf in discriminated members, and each lists its discriminator values', () => {
    const choices = all.filter(({ node }) => 'discriminator' in node) as (Found & { node: Schema })[];
    expect(choices.length).toBeGreaterThan(1);
    for (const { node, place } of choices) {
      const { propertyName, mapping } = node.discriminator!;
      for (const { $ref } of node.oneOf!) {
        const { allOf, properties, required } = at<Schema>(document, $ref!);
        const values = Object.keys(mapping).filter((value) => mapping[value] === $ref);
        const found = [allOf, properties![propertyName]!.enum, required!.includes(propertyName)];
        expect(found, place).toEqual([undefined, values, true]);
      }
    }
  });
});

describe.each(Object.entries({ 'openapi.json': api, 'openapi-3.0.json': in30, 'webhooks.json': webhooks }))(
  '%s',
  (file, { components }) => {
    test('has no component that nothing uses', () => {
      const text = readFileSync(`generated/${file}`, 'utf8');
      const { securitySchemes: _, ...kinds } = components as Record<string, object>;
      const pointers = Object.entries(kinds).flatMap(([kind, named]) =>
        Object.keys(named).map((name) => `"#/components/${kind}/${name}"`),
      );
      expect(pointers.filter((pointer) => !text.includes(pointer))).toEqual([]);
    });

    test('has only schemas that a strict validator compiles', () => {
      const ajv = addFormats.default(new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false }));
      ajv.addVocabulary(['discriminator', 'example', 'components']).addSchema({ components }, file);
      for (const name of Object.keys(components.schemas)) ajv.getSchema(`${file}#/components/schemas/${name}`);
    });
  },
);

test.each([api, in30, webhooks])('each text and each number has an example: document %#', ({ components }) => {
  const isScalar = ({ type }: Schema) => /string|number|integer/.test(`${type}`);
  const scalars = objectsIn(components.schemas, '#').filter(
    ({ node }) => isScalar(node) && !('enum' in node || 'allOf' in node),
  );
  const bare = scalars.filter(({ node }) => !('examples' in node || 'example' in node)).map(({ place }) => place);
  // an example would invite clients to send their secret, and `not` and a list of names have values of their own
  expect(bare.filter((place) => !/ (client_secret|additionalProperties|not properties \w+)$/.test(place))).toEqual([]);
});

test('each parameter of 3.0 has one example', () => {
  const parameters = objectsIn(in30, '#').filter(({ node }) => 'in' in node && 'name' in node && 'schema' in node);
  expect(parameters.length).toBeGreaterThan(20);
  for (const { node, place } of parameters)
    expect([place, 'example' in node, 'examples' in node]).toEqual([place, true, false]);
});

test('the first example of a token request uses client_credentials, as JSON and as a form', () => {
  const { content } = operationsOf(contract).find(({ id }) => id === 'createToken')!.operation.requestBody!;
  for (const { examples = {} } of Object.values(content)) {
    expect(Object.values(examples)[0]!.value).toMatchObject({ grant_type: 'client_credentials' });
  }
});

test('the documentation links within the page', () => {
  const description = 'See [getRide](#operation/getRide), and [RFC 9110](https://www.rfc-editor.org/rfc/rfc9110).';
  const absolute = withAbsoluteLinks({ description }, 'https://rides.example');
  expect(absolute.description).toContain('(https://rides.example/docs#operation/getRide)');
  expect(withLocalLinks(absolute, 'https://rides.example')).toEqual({ description });
});

test('a discriminated member with parts that contradict each other is an error', () => {
  const kindOf = (type: string) => ({ type: 'object', properties: { kind: { type } } });
  const mapping = { cat: '#/components/schemas/Cat' };
  const Pet = { oneOf: [{ $ref: mapping.cat }], discriminator: { propertyName: 'kind', mapping } };
  const schemas = { Pet, Cat: { allOf: [kindOf('string'), kindOf('integer')] } };
  const contract = { openapi: '3.1.0', components: { schemas } } as unknown as Contract;
  expect(() => withFlatMembers(contract)).toThrow('Cat.kind has two different values for type');
});

/** Whether two values would get the same name in a language whose names ignore case. */
function repeatsName(values: readonly unknown[]): boolean {
  return new Set(values.map((value) => String(value).toLowerCase())).size < values.length;
}

function objectsIn(node: unknown, place: string): Found[] {
  if (typeof node !== 'object' || node === null) return [];
  const inside = Object.entries(node).flatMap(([key, child]) => objectsIn(child, `${place} ${key}`));
  return Array.isArray(node) ? inside : [{ place, node: node as Record<string, unknown> }, ...inside];
}
