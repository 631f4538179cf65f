import { readFileSync } from 'node:fs';
import { OPERATIONS, type OperationId } from '../../generated/server.ts';

/** As much of the bundle as the server looks into itself; the rest is the validator's. */
interface Schema {
  readonly $ref?: string;
  readonly format?: string;
  readonly 'x-earliest'?: string;
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly schema: Schema;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly responses: Readonly<Record<string, { readonly headers?: Readonly<Record<string, unknown>> }>>;
}

/** The contract, as `npm run generate` bundled it. */
export const document = JSON.parse(readFileSync(new URL('../../generated/openapi.json', import.meta.url), 'utf8'));

/** A query parameter that is an instant, and how far back it may reach (real milliseconds UTC). */
export interface InstantParameter {
  readonly name: string;
  readonly earliest: number | null;
}

export function instantParameters(operation: OperationId): InstantParameter[] {
  const parameters = (operationOf(operation).parameters ?? []).map((parameter) => resolve<Parameter>(parameter));
  return parameters
    .filter((parameter) => parameter.in === 'query' && parameter.schema.format === 'date-time')
    .map(({ name, schema }) => ({ name, earliest: schema['x-earliest'] ? Date.parse(schema['x-earliest']) : null }));
}

/** Whether an operation's success must not be kept by caches, and so none of its answers (RFC 6749, section 5.1). */
export function isNeverStored(operation: OperationId): boolean {
  const success = operationOf(operation).responses[OPERATIONS[operation].successStatus];
  return Object.hasOwn(success?.headers ?? {}, 'Cache-Control');
}

function operationOf(operation: OperationId): Operation {
  const { method, path } = OPERATIONS[operation];
  return document.paths[path][method];
}

function resolve<T extends { readonly $ref?: string }>(node: T): T {
  if (node.$ref === undefined) return node;
  return node.$ref
    .slice(2)
    .split('/')
    .reduce((parent, key) => parent[key], document);
}
