import { type Operation, partsOf, type Response, type Schema } from '../contract/bundle.ts';

/**
 * Maps each declared error code to its HTTP status. Reads `error` in the failure bodies, and the `error` header of
 * responses that may have no body.
 * @throws Error if a code has two statuses
 */
export function failuresOf({ operationId, responses }: Operation): Record<string, number> {
  const failures: Record<string, number> = {};
  for (const [status, response] of Object.entries(responses)) {
    if (Number(status) < 400) continue;
    for (const code of codesOf(response)) {
      if (failures[code] !== undefined && failures[code] !== Number(status)) {
        throw new Error(`${operationId}: ${code} has the statuses ${failures[code]} and ${status}`);
      }
      failures[code] = Number(status);
    }
  }
  return failures;
}

function codesOf({ content = {}, headers = {} }: Response): string[] {
  const bodies = Object.values(content).flatMap(({ schema }) => (schema ? partsOf(schema) : []));
  return [...bodies.map(({ properties }) => properties?.error), headers.error?.schema].flatMap(valuesOf);
}

function valuesOf(schema: Schema | undefined): string[] {
  return schema?.enum?.map(String) ?? (schema?.const === undefined ? [] : [String(schema.const)]);
}
