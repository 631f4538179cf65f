import { type Operation, partsOf, type Response, type Schema } from '../contract/bundle.ts';

/**
 * Error code to HTTP status for every failure that an operation declares, read from the `error` of each failure body
 * and from the `error` header of an answer whose body may be empty.
 * @throws when a code has two statuses: it would not say which one to answer with.
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
  return schema?.enum ?? (schema?.const === undefined ? [] : [String(schema.const)]);
}
