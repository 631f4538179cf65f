import { OPERATIONS, type OperationId } from '../../generated/server.ts';
import { OPERATION_IDS } from '../support/operations.ts';
import { parsed } from '../support/parsed.ts';

// paths without parameters first, as in OpenAPI
const ROUTES = OPERATION_IDS.toSorted((a, b) => countParameters(a) - countParameters(b)).map((id) => {
  const { method, path } = OPERATIONS[id];
  return { id, method, pattern: new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`) };
});

function countParameters(id: OperationId): number {
  return OPERATIONS[id].path.split('{').length;
}

/** The operation of a request, with the parameters of its path as they were sent. */
export function operationAt(method: string, path: string) {
  const inPath = ROUTES.filter((route) => route.method === method.toLowerCase());
  const called = inPath.find(({ pattern }) => pattern.test(path));
  return called && { id: called.id, params: called.pattern.exec(path)?.groups ?? {} };
}

/** The error code in a JSON body. */
export function codeIn(text: string): string | undefined {
  const { error } = Object(parsed(text)) as { readonly error?: unknown };
  return typeof error === 'string' ? error : undefined;
}

/** The parameters that the `error_detail` of a JSON body names. */
export function namesIn(text: string): string[] {
  const { error_detail: detail = [] } = Object(parsed(text)) as { readonly error_detail?: readonly object[] };
  return detail.flatMap(Object.keys);
}
