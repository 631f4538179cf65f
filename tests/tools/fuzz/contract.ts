import { readFileSync } from 'node:fs';
import { OPERATIONS, type OperationId } from '../../../generated/server.ts';
import { type Contract, operationsOf, resolve } from '../../../scripts/generate/contract.ts';
import type { Schema } from '../../../server/http/contract.ts';

/** As much of JSON Schema as the requests of the contract use: what the server looks into itself, and a little more. */
export interface JsonSchema extends Schema {
  readonly enum?: readonly string[];
  readonly minProperties?: number;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

export interface ParameterFacts {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly schema: JsonSchema;
}

export interface BodyFacts {
  readonly required: boolean;
  readonly mediaTypes: readonly string[];
  readonly schema: JsonSchema;
}

/** An answer as the contract declares it. */
export interface AnswerFacts {
  /** By name, as it is written there. */
  readonly headers: Readonly<Record<string, JsonSchema>>;
  /** Media type to schema. */
  readonly content: Readonly<Record<string, JsonSchema>>;
}

/** What the contract says of an operation's requests and answers. */
export interface Facts {
  readonly parameters: readonly ParameterFacts[];
  readonly body: BodyFacts | null;
  /** By status. */
  readonly answers: Readonly<Record<string, AnswerFacts>>;
}

export const contract: Contract = JSON.parse(
  readFileSync(new URL('../../../generated/openapi.json', import.meta.url), 'utf8'),
);

export const OPERATION_IDS = Object.keys(OPERATIONS) as OperationId[];

export const FACTS = Object.fromEntries(
  operationsOf(contract).map(({ operation, parameters }): [string, Facts] => {
    const body = operation.requestBody && resolve(contract, operation.requestBody);
    const [schema] = Object.values(body?.content ?? {}).map((media) => media.schema as JsonSchema);
    const answers = Object.entries(operation.responses).map(([status, response]): [string, AnswerFacts] => {
      const { headers = {}, content = {} } = resolve(contract, response);
      return [
        status,
        {
          headers: mapped(headers, (header) => resolve(contract, header).schema as JsonSchema),
          content: mapped(content, (media) => media.schema as JsonSchema),
        },
      ];
    });
    return [
      operation.operationId,
      {
        parameters: parameters
          .filter((parameter) => parameter.in === 'path' || parameter.in === 'query')
          .map(({ name, in: place, required = false, schema }) => ({
            name,
            in: place as 'path' | 'query',
            required,
            schema: resolved(schema as JsonSchema),
          })),
        body: body
          ? { required: body.required === true, mediaTypes: Object.keys(body.content), schema: resolved(schema!) }
          : null,
        answers: Object.fromEntries(answers),
      },
    ];
  }),
) as Readonly<Record<OperationId, Facts>>;

/** What stands where a schema points. */
export function resolved(schema: JsonSchema): JsonSchema {
  return resolve(contract, schema);
}

export function typesOf({ type = [] }: JsonSchema): readonly string[] {
  return [type].flat();
}

/** What the operation calls a request that breaks the contract. */
export function malformedCode(operation: OperationId): string {
  return 'invalid_request' in OPERATIONS[operation].failures ? 'invalid_request' : 'bad_parameter';
}

/** The methods that the path of an operation has, in capitals. */
export function methodsBeside(operation: OperationId): string[] {
  const { path } = OPERATIONS[operation];
  return OPERATION_IDS.filter((id) => OPERATIONS[id].path === path).map((id) => OPERATIONS[id].method.toUpperCase());
}

function mapped<From, To>(record: Readonly<Record<string, From>>, to: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, to(value)]));
}
