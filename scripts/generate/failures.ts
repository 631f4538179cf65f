import { type Contract, type Operation, type Response, resolve, type Schema } from './contract.ts';

/**
 * Error code to HTTP status for every failure that an operation declares, read from the `error` of each failure body
 * and from the `error` header of an answer whose body may be empty.
 * @throws when one code stands at two statuses: its status could not be told from the code.
 */
export function failuresOf(contract: Contract, operation: Operation): Record<string, number> {
  const failures: Record<string, number> = {};
  for (const [status, declared] of Object.entries(operation.responses)) {
    if (Number(status) < 400) continue;
    for (const code of codesOf(contract, resolve(contract, declared))) {
      if (failures[code] !== undefined && failures[code] !== Number(status)) {
        throw new Error(`${operation.operationId}: ${code} stands at both ${failures[code]} and ${status}`);
      }
      failures[code] = Number(status);
    }
  }
  return failures;
}

function codesOf(contract: Contract, response: Response): Set<string> {
  const codes = new Set<string>();
  for (const { schema } of Object.values(response.content ?? {})) {
    if (schema) collectErrorCodes(contract, resolve(contract, schema), codes);
  }
  const header = response.headers?.error && resolve(contract, response.headers.error);
  if (header?.schema) collectValues(resolve(contract, header.schema), codes);
  return codes;
}

function collectErrorCodes(contract: Contract, schema: Schema, codes: Set<string>): void {
  const error = schema.properties?.error;
  if (error) collectValues(resolve(contract, error), codes);
  for (const part of [...(schema.allOf ?? []), ...(schema.oneOf ?? [])]) {
    collectErrorCodes(contract, resolve(contract, part), codes);
  }
}

function collectValues(schema: Schema, codes: Set<string>): void {
  for (const value of schema.enum ?? (schema.const === undefined ? [] : [schema.const])) codes.add(String(value));
}
