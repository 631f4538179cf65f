import type { Contract, LocatedOperation, MediaType, Parameter } from '../../contract/bundle.ts';
import { routeOf } from '../route.ts';

/** A call of an operation, with the first example of each parameter and of the body. */
export interface SampleCall {
  readonly operationId: string;
  readonly method: string;
  /** The URL of the API, without a path. */
  readonly baseUrl: string;
  /** With the path parameters filled in, without a query. */
  readonly url: string;
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** Undefined if the operation has no body. */
  readonly body: unknown;
  /** Whether the body can also be sent as a form. */
  readonly isForm: boolean;
  readonly credentials: 'token' | 'basic' | 'none';
  readonly answer: 'json' | 'page' | 'nothing';
}

export function sampleCallOf(contract: Contract, located: LocatedOperation): SampleCall {
  const { id, method, body } = located;
  const { successMediaType, requestMediaTypes } = routeOf(contract, located);
  const baseUrl = contract.servers?.[0]?.url ?? '';
  const path = examplesOf(located, 'path');
  const filled = located.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(path[name])));
  return {
    operationId: id,
    method: method.toUpperCase(),
    baseUrl,
    url: `${baseUrl}${filled}`,
    path,
    query: examplesOf(located, 'query'),
    body: body ? firstExample(body) : undefined,
    isForm: requestMediaTypes.includes('application/x-www-form-urlencoded'),
    credentials: credentialsOf(contract, located),
    answer: successMediaType === null ? 'nothing' : successMediaType === 'text/html' ? 'page' : 'json',
  };
}

function credentialsOf(contract: Contract, located: LocatedOperation): SampleCall['credentials'] {
  const [first] = routeOf(contract, located).security;
  if (!first) return 'none';
  const scheme = contract.components?.securitySchemes?.[first.scheme] as { readonly type: string };
  return scheme.type === 'http' ? 'basic' : 'token';
}

/** Maps parameters to values. Omits deprecated parameters and the cursor. */
function examplesOf({ parameters }: LocatedOperation, place: Parameter['in']): Record<string, unknown> {
  const told = parameters.filter(
    (parameter) => parameter.in === place && !parameter.deprecated && parameter.name !== 'cursor',
  );
  return Object.fromEntries(told.map((parameter) => [parameter.name, firstExample(parameter)]));
}

function firstExample({ examples = {} }: Pick<MediaType, 'examples'>): unknown {
  return Object.values(examples)[0]?.value;
}
