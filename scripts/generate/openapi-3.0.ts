import { at, type Contract, type Parameter, type Schema, typesOf } from '../contract/bundle.ts';
import { mapSchemas } from './bundle/map-schemas.ts';

/** A schema of OpenAPI 3.0. */
export interface Schema30 extends Schema {
  nullable?: boolean;
}

/**
 * Converts the bundle to OpenAPI 3.0, for generators that can't read 3.1. Only converts the 3.1 features that the
 * contract uses. A test validates the result, and fails if the contract starts to use another feature.
 */
export function inOpenApi30(document: Contract): object {
  const { openapi: _, info, webhooks, ...rest } = mapSchemas(document, (schema) => schemaIn30(document, schema));
  const { summary: __, ...told } = info;
  const in30 = { openapi: '3.0.3', info: told, ...rest, 'x-webhooks': webhooks };
  return JSON.parse(JSON.stringify(in30, (_key, value) => (isShown(value) ? withOneExample(value) : value)));
}

function isShown(value: Partial<Parameter> | null): value is Parameter & Required<Pick<Parameter, 'examples'>> {
  return value?.in !== undefined && value.examples !== undefined;
}

/** Some generators of 3.0 only read the `example` of a parameter. */
function withOneExample({ examples, ...parameter }: Required<Pick<Parameter, 'examples'>>) {
  return { ...parameter, example: Object.values(examples)[0]!.value };
}

function schemaIn30(document: Contract, { $ref, ...schema }: Schema): Schema30 {
  const { examples, ...others } = withoutNullType(withoutNullChoice(document, schema));
  const rest = { ...others, ...(examples && { example: examples[0] }) };
  if ($ref === undefined) return rest;
  // 3.0 ignores the siblings of a $ref
  return Object.keys(rest).length === 0 ? { $ref } : { ...rest, allOf: [{ $ref }] };
}

/** Converts `type: [string, 'null']`. A plain `type: 'null'` is left for its parent, which drops it. */
function withoutNullType(schema: Schema): Schema30 {
  const types = typesOf(schema);
  if (types.length < 2 || !types.includes('null')) return schema;
  const [type, ...others] = types.filter((name) => name !== 'null');
  if (others.length > 0) throw new Error(`OpenAPI 3.0 has no type for ${types.join(' or ')}`);
  return { ...schema, type, nullable: true } as Schema30;
}

/**
 * Converts `anyOf: [{ $ref }, { type: 'null' }]`. In 3.0, `nullable` needs a sibling `type`. 3.0 also requires null in
 * the enum, but some generators fail on that. All generators read this form as the value or null.
 */
function withoutNullChoice(document: Contract, { anyOf, oneOf, ...schema }: Schema): Schema30 {
  const choices = anyOf ?? oneOf;
  const others = choices?.filter(({ type }) => type !== 'null');
  if (choices === undefined || others!.length === choices.length) {
    return { ...schema, ...(anyOf && { anyOf }), ...(oneOf && { oneOf }) };
  }
  const [{ $ref }, ...more] = others as [Schema, ...Schema[]];
  const types = $ref === undefined ? [] : typesOf(at<Schema>(document, $ref));
  if (more.length > 0 || types.length !== 1) throw new Error('OpenAPI 3.0 cannot express this choice with null');
  return { ...schema, type: types[0], nullable: true, allOf: [{ $ref }] } as Schema30;
}
