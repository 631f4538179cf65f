import { at, type Contract, type Schema, typesOf } from '../contract/bundle.ts';
import { mapSchemas } from './bundle/map-schemas.ts';

/** A schema of OpenAPI 3.0. */
export interface Schema30 extends Schema {
  nullable?: boolean;
}

/**
 * The bundle in OpenAPI 3.0, for generators that read no 3.1. Rewrites the words of 3.1 that the contract uses; a test
 * validates the result, so that a new one does not pass unnoticed.
 */
export function inOpenApi30(document: Contract): object {
  const { openapi: _, info, webhooks, ...rest } = mapSchemas(document, (schema) => schemaIn30(document, schema));
  const { summary: __, ...told } = info;
  return { openapi: '3.0.3', info: told, ...rest, 'x-webhooks': webhooks };
}

function schemaIn30(document: Contract, { $ref, ...schema }: Schema): Schema30 {
  const rest = withoutNullType(withoutNullChoice(document, schema));
  if ($ref === undefined) return rest;
  // 3.0 ignores what stands beside a $ref
  return Object.keys(rest).length === 0 ? { $ref } : { ...rest, allOf: [{ $ref }] };
}

/** `type: [string, 'null']`. The parent of `type: 'null'` drops it. */
function withoutNullType(schema: Schema): Schema30 {
  const types = typesOf(schema);
  if (types.length < 2 || !types.includes('null')) return schema;
  const [type, ...others] = types.filter((name) => name !== 'null');
  if (others.length > 0) throw new Error(`OpenAPI 3.0 has no type of ${types.join(' or ')}`);
  return { ...schema, type, nullable: true } as Schema30;
}

/**
 * `anyOf: [{ $ref }, { type: 'null' }]`. 3.0 reads `nullable` only beside a type. The text of 3.0 also wants null in the
 * list of values, but some generators fail on it; all of them take this form as a value or null.
 */
function withoutNullChoice(document: Contract, { anyOf, oneOf, ...schema }: Schema): Schema30 {
  const choices = anyOf ?? oneOf;
  const others = choices?.filter(({ type }) => type !== 'null');
  if (choices === undefined || others!.length === choices.length) {
    return { ...schema, ...(anyOf && { anyOf }), ...(oneOf && { oneOf }) };
  }
  const [{ $ref }, ...more] = others as [Schema, ...Schema[]];
  const types = $ref === undefined ? [] : typesOf(at<Schema>(document, $ref));
  if (more.length > 0 || types.length !== 1) throw new Error('OpenAPI 3.0 has no choice between this and null');
  return { ...schema, type: types[0], nullable: true, allOf: [{ $ref }] } as Schema30;
}
