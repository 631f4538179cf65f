import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import generated from '../../generated/openapi-3.0.json' with { type: 'json' };
import { type Contract, type Schema, typesOf } from '../../scripts/contract/bundle.ts';
import { document } from '../../scripts/contract/read.ts';
import { mapSchemas } from '../../scripts/generate/bundle/map-schemas.ts';
import { inOpenApi30, type Schema30 } from '../../scripts/generate/openapi-3.0.ts';
import { run } from '../support/run.ts';
import { statedExamples } from './support/examples.ts';
import { ajv, validatorAt } from './support/validator.ts';

const validity = (openapi: object) => new Validator().validate(openapi as Record<string, unknown>);

test('openapi-3.0.json is valid OpenAPI 3.0', async () => {
  expect(await validity(generated)).toEqual({ valid: true });
  // the validator rejects OpenAPI 3.1
  expect(await validity({ ...document, openapi: '3.0.3' })).toMatchObject({ valid: false });
});

// OpenAPI 3.0 allows null with a keyword that JSON Schema does not have
const asJsonSchema = mapSchemas(generated as object, ({ nullable, ...schema }: Schema30): Schema => {
  if (!nullable) return schema;
  if (!schema.type) throw new Error('OpenAPI 3.0 ignores nullable without a type');
  // the enum does not list null, but generators treat it as nullable
  return schema.allOf ? { anyOf: [{ type: 'null' }, schema] } : { ...schema, type: [...typesOf(schema), 'null'] };
});
ajv.addSchema(asJsonSchema, 'openapi-3.0.json');
const validatorIn30 = (pointer: string) => ajv.getSchema(`openapi-3.0.json${pointer}`)!;

test('every example is valid in it, also those of its webhooks', () => {
  expect(Object.keys(generated['x-webhooks'])).toEqual(Object.keys(document.webhooks));
  for (const { where, schemaPointer, value } of statedExamples(generated)) {
    const validate = validatorIn30(schemaPointer);
    expect([validate(value), validate.errors], where).toEqual([true, null]);
  }
});

const VALUES = [null, true, '', 'a', 'USD', '50%', '2026-05-15T01:04:05Z', 0, 1, 1.5, -91, 361, [], [null], ['a'], {}];

// the run compiles each field of both documents
test.runIf(run === 'long')('every schema and every field accepts the same values in it', () => {
  const pointers = Object.entries<Schema>(document.components.schemas).flatMap(([name, schema]) =>
    fieldsBelow(schema, `#/components/schemas/${name}`),
  );
  const differing = pointers.filter((pointer) => {
    const [in31, in30] = [validatorAt(pointer), validatorIn30(pointer)];
    return VALUES.some((value) => in31(value) !== in30(value));
  });
  expect(differing).toEqual([]);
});

/** Returns the pointers to a schema and to the schemas of its fields. */
function fieldsBelow(schema: Schema, pointer: string): string[] {
  const inside = Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    fieldsBelow(field, `${pointer}/properties/${name}`),
  );
  return [pointer, ...inside];
}

const REF = { $ref: '#/components/schemas/Tip' };
const NULL = { type: 'null' };
const STATE = { type: 'string', enum: ['on', 'off'] };
const STATE_REF = { $ref: '#/components/schemas/State' };

const with31 = (fare: Schema) =>
  ({ openapi: '3.1.0', info: {}, components: { schemas: { Fare: fare, State: STATE } } }) as unknown as Contract;

test.each<[words: string, in31: Schema, in30: Schema30]>([
  ['a type or null', { type: ['string', 'null'], minLength: 1 }, { type: 'string', minLength: 1, nullable: true }],
  ['a reference', REF, REF],
  ['a reference with its own description', { ...REF, description: 'Cash.' }, { description: 'Cash.', allOf: [REF] }],
  ['an enum or null', { anyOf: [STATE_REF, NULL] }, { type: 'string', nullable: true, allOf: [STATE_REF] }],
  ['one of two', { oneOf: [REF, REF] }, { oneOf: [REF, REF] }],
])('in 3.0, %s', (_, in31, in30) => {
  expect(inOpenApi30(with31(in31))).toMatchObject({ components: { schemas: { Fare: in30 } } });
});

test.each<[string, Schema, string]>([
  [
    'a choice between null and an object',
    { anyOf: [{ type: 'object' }, NULL] },
    'cannot express this choice with null',
  ],
  ['two types', { type: ['string', 'number', 'null'] }, 'OpenAPI 3.0 has no type for string or number or null'],
])('%s fails, because 3.0 does not support it', (_, in31, problem) => {
  expect(() => inOpenApi30(with31(in31))).toThrow(problem);
});
