import { REQUESTS, type Schema } from '../../generated/requests.ts';
import type { OperationId } from '../../generated/server.ts';
import { own } from '../domain/own.ts';

/** The schema of a parameter or a body field; undefined if `properties` and `items` do not lead to it. */
export function schemaAt(operation: OperationId, location: string, names: readonly string[]): Schema | undefined {
  const { path, query, body } = REQUESTS[operation];
  if (location === 'body') return fieldOf(body ?? undefined, names);
  return own(query, names[0]!) ?? own(path, names[0]!);
}

function fieldOf(schema: Schema | undefined, [name, ...rest]: readonly string[]): Schema | undefined {
  return name === undefined ? schema : fieldOf(own(schema?.properties ?? {}, name) ?? schema?.items, rest);
}
