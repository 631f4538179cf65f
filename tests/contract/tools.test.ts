import openapiTS, { type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import webhooks from '../../generated/webhooks.json' with { type: 'json' };
import { at, type Contract, METHODS, operationsOf, type Schema } from '../../scripts/contract/bundle.ts';
import { document as api, contract } from '../../scripts/contract/read.ts';
import { withFlatMembers } from '../../scripts/generate/bundle/flat-members.ts';
import { withAbsoluteLinks, withLocalLinks } from '../../scripts/generate/bundle/links.ts';

interface Found {
  /** The keys that lead to it. */
  readonly place: string;
  readonly node: Record<string, unknown>;
}

/** Some tools fail on these or ignore them silently. */
describe.each([
  ['openapi.json', api],
  ['webhooks.json', webhooks],
])('%s', (_, document) => {
  const all = objectsIn(document, '#');
  const placesWhere = (isWrong: (found: Found) => boolean) => all.filter(isWrong).map(({ place }) => place);

  test.each(['const', 'exclusiveMinimum', 'exclusiveMaximum', 'if', 'patternProperties', 'prefixItems', '$defs'])(
    'has no schema with %s',
    (keyword) => {
      expect(placesWhere(({ node }) => keyword in node)).toEqual([]);
    },
  );

  test('has no enum values that differ only in case and would get the same name', () => {
    const isWrong = ({ node: { enum: values } }: Found) =>
      Array.isArray(values) && new Set(values.map((value) => String(value).toLowerCase())).size < values.length;
    expect(placesWhere(isWrong)).toEqual([]);
  });

  test('has no allOf in discriminated members, and each lists its discriminator values', () => {
    const choices = all.filter(({ node }) => 'discriminator' in node) as (Found & { node: Schema })[];
    expect(choices.length).toBeGreaterThan(1);
    for (const { node, place } of choices) {
      const { propertyName, mapping } = node.discriminator!;
      const members = node.oneOf!.map(({ $ref }) => [$ref, at<Schema>(document, $ref!)] as const);
      for (const [$ref, { allOf, properties, required }] of members) {
        const values = Object.keys(mapping).filter((value) => mapping[value] === $ref);
        expect([allOf, properties![propertyName]!.enum, required!.includes(propertyName)], place).toEqual([
          undefined,
          values,
          true,
        ]);
      }
    }
  });

  test('puts all parameters on operations, not on paths', () => {
    expect(placesWhere(({ node }) => METHODS.some((method) => method in node) && 'parameters' in node)).toEqual([]);
  });

  test('has only absolute links', () => {
    const texts = all.flatMap(({ node }) => [node.summary, node.description, node['x-sandbox-recipe']]);
    const links = [...texts.join('\n').matchAll(/\]\((?<target>[^)]*)\)/g)].map(({ groups }) => groups!.target!);
    expect(links.filter((target) => !target.startsWith('http'))).toEqual([]);
  });

  test('has a name and a label on each badge', () => {
    const badges = all.flatMap(({ node }) => (node['x-badges'] as object[] | undefined) ?? []);
    expect(badges.filter((badge) => !('name' in badge && 'label' in badge))).toEqual([]);
  });

  test('has server descriptions short enough for a menu', () => {
    const { servers = [] } = document as { servers?: { description: string }[] };
    expect(servers.filter(({ description }) => description.length > 40)).toEqual([]);
  });
});

test('the first example of a token request uses client_credentials, as JSON and as a form', () => {
  const { content } = operationsOf(contract).find(({ id }) => id === 'createToken')!.operation.requestBody!;
  const first = Object.values(content).map(({ examples = {} }) => Object.values(examples)[0]!.value);
  expect(first).toEqual(
    Object.values(content).map(() => expect.objectContaining({ grant_type: 'client_credentials' })),
  );
});

test('openapi-typescript generates each enum once', async () => {
  const nodes = await openapiTS(api as OpenAPI3, { enum: true });
  const names = nodes.filter(ts.isEnumDeclaration).map(({ name }) => name.text);
  expect(names.length).toBeGreaterThan(5);
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
});

test('the documentation links within the page', () => {
  const description = 'See [getRide](#operation/getRide), and [RFC 9110](https://www.rfc-editor.org/rfc/rfc9110).';
  const absolute = withAbsoluteLinks({ description }, 'https://rides.example');
  expect(absolute.description).toContain('(https://rides.example/docs#operation/getRide)');
  expect(withLocalLinks(absolute, 'https://rides.example')).toEqual({ description });
});

describe('a discriminated member with allOf', () => {
  const choice = {
    oneOf: [{ $ref: '#/components/schemas/Cat' }],
    discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat' } },
  };
  const flatCat = (...allOf: Schema[]): Schema => {
    const animal = {
      description: 'Any.',
      type: 'object',
      required: ['kind'],
      properties: { kind: { type: 'string' } },
    };
    const schemas = { Pet: choice, Cat: { description: 'A cat.', allOf }, Animal: animal };
    return withFlatMembers({ openapi: '3.1.0', components: { schemas } } as unknown as Contract).components!.schemas!
      .Cat!;
  };
  const animal = { $ref: '#/components/schemas/Animal' };

  test('has the fields and constraints of all parts', () => {
    const own = { required: ['lives'], properties: { lives: { type: 'integer' }, kind: { enum: ['cat'] } } };
    expect(flatCat({ allOf: [animal] }, own)).toEqual({
      description: 'A cat.',
      type: 'object',
      required: ['kind', 'lives'],
      properties: { kind: { type: 'string', enum: ['cat'] }, lives: { type: 'integer' } },
    });
  });

  test('cannot have parts that contradict each other', () => {
    const own = { properties: { kind: { type: 'integer' } } };
    expect(() => flatCat(animal, own)).toThrow('Cat.kind has two different values for type');
  });
});

function objectsIn(node: unknown, place: string): Found[] {
  if (typeof node !== 'object' || node === null) return [];
  const inside = Object.entries(node).flatMap(([key, child]) => objectsIn(child, `${place} ${key}`));
  return Array.isArray(node) ? inside : [{ place, node: node as Record<string, unknown> }, ...inside];
}
