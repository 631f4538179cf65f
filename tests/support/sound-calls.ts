import type { OperationId } from '../../generated/server.ts';
import { operationsOf, type Parameter, resolve } from '../../scripts/generate/contract.ts';
import { contract, namedExamples } from '../contract/support/contract.ts';
import type { JsonSchema } from '../tools/fuzz/contract.ts';
import { type Field as Asked, sampleOf } from '../tools/values/sound.ts';

/** A parameter of a query, a path or a header, or a field of a body, however deep. */
export interface Field extends Asked {
  /** The way to it: ['origin', 'lat']. */
  readonly names: readonly string[];
  readonly isRequired: boolean;
}

const LOCATED = operationsOf(contract);

/** A call that the contract accepts, with every field that the body can have, and what to know of each parameter and field. */
export interface SoundCall {
  readonly fields: readonly Field[];
  readonly path: Readonly<Record<string, string>>;
  /** What is required; of the rest some may come only together. */
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined where the operation takes none. */
  readonly body: unknown;
}

export function soundCallOf(id: OperationId): SoundCall {
  const { operation, parameters } = LOCATED.find(({ operation }) => operation.operationId === id)!;
  const simple = parameters.map(fieldOfParameter);
  const textsIn = (location: Field['location']) =>
    Object.fromEntries(
      simple
        .filter((field) => field.location === location && field.isRequired)
        .map(({ names, example }) => [names[0]!, String(example)]),
    );
  const media = operation.requestBody && Object.values(resolve(contract, operation.requestBody).content)[0];
  const texts = { path: textsIn('path'), query: textsIn('query'), headers: textsIn('header') };
  if (!media?.schema) return { fields: simple, ...texts, body: undefined };
  const schema = resolve(contract, media.schema) as JsonSchema;
  const examples = namedExamples(media).map(([, { value }]) => value);
  const body = sampleOf(withoutCredentials(schema), examples);
  return { fields: [...simple, ...fieldsIn(schema, body, [])], ...texts, body };
}

/** A client that authenticates by HTTP Basic leaves these out of the body. */
function withoutCredentials(schema: JsonSchema): JsonSchema {
  const { client_id: _, client_secret: __, ...properties } = schema.properties ?? {};
  return { ...schema, properties };
}

function fieldOfParameter(parameter: Parameter): Field {
  const schema = resolve(contract, parameter.schema!) as JsonSchema;
  return {
    location: parameter.in as Field['location'],
    names: [parameter.name],
    schema,
    isRequired: parameter.required === true,
    // no end lies before so early a start
    example: schema['x-earliest'] ?? namedExamples(parameter)[0]?.[1].value,
  };
}

/** Every field within an object, and those within these. @param sample a value with all of them */
function fieldsIn(schema: JsonSchema, sample: unknown, way: readonly string[]): Field[] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([name, property]) => {
    const { items, ...itself } = resolve(contract, property) as JsonSchema;
    const inner: JsonSchema = items === undefined ? itself : { ...itself, items: resolve(contract, items as object) };
    const example = (sample as Record<string, unknown>)[name];
    const field: Field = {
      location: 'body',
      names: [...way, name],
      schema: inner,
      isRequired: required.includes(name),
      example,
    };
    return [field, ...fieldsIn(inner, example, field.names)];
  });
}
