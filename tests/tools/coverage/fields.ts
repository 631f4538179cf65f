import {
  type Contract,
  type Schema as ContractSchema,
  type LocatedOperation,
  resolve,
} from '../../../scripts/generate/contract.ts';

/** As much of a schema as limits what a client may send. */
export interface Schema extends ContractSchema {
  type?: string | string[];
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minProperties?: number;
  uniqueItems?: boolean;
  required?: string[];
  additionalProperties?: unknown;
  items?: ContractSchema;
  /** The first instant that is accepted, ISO 8601. */
  'x-earliest'?: string;
}

/** A parameter, a body, a field of one, or the items of a list. */
export interface Field {
  readonly location: 'query' | 'path' | 'header' | 'body';
  /** The way to it, `*` for the items of a list: ['origin', 'lat']. Empty for a body. */
  readonly names: readonly string[];
  readonly schema: Schema;
  readonly isRequired: boolean;
}

/** Everything that a request of an operation may hold. */
export function fieldsOf(contract: Contract, { operation, parameters }: LocatedOperation): Field[] {
  const simple = parameters.map(
    (parameter): Field => ({
      location: parameter.in as Field['location'],
      names: [parameter.name],
      schema: resolve(contract, parameter.schema!) as Schema,
      isRequired: parameter.required === true,
    }),
  );
  if (operation.requestBody === undefined) return simple;
  const { content, required = false } = resolve(contract, operation.requestBody);
  const schema = resolve(contract, Object.values(content)[0]!.schema!) as Schema;
  const body: Field = { location: 'body', names: [], schema, isRequired: required };
  return [...simple, body, ...fieldsWithin(contract, body)];
}

function fieldsWithin(contract: Contract, { schema, names }: Field): Field[] {
  const { properties = {}, required = [], items } = schema;
  const inner = Object.entries({ ...properties, ...(items && { '*': items }) });
  return inner.flatMap(([name, property]) => {
    const field: Field = {
      location: 'body',
      names: [...names, name],
      schema: resolve(contract, property) as Schema,
      isRequired: required.includes(name),
    };
    return [field, ...fieldsWithin(contract, field)];
  });
}

/** The values of a field in what holds it; of the items of lists there are many, and none where what is around is not there. */
export function valuesAt(body: unknown, [name, ...rest]: readonly string[]): unknown[] {
  if (name === undefined) return [body];
  if (name === '*') return Array.isArray(body) ? body.flatMap((item) => valuesAt(item, rest)) : [];
  return isObject(body) ? valuesAt(Object.hasOwn(body, name) ? body[name] : undefined, rest) : [];
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
