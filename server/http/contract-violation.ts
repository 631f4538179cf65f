import { OPERATIONS, type OperationId } from '../../generated/server.ts';
import { Refusal } from '../domain/refusal.ts';

/** What the validator, the body parser and the router throw. */
export interface RequestError extends Error {
  readonly status: number;
  /** Of the body parser: 'entity.too.large', 'entity.parse.failed', … */
  readonly type?: string;
  /** Of the validator. */
  readonly errors?: ReadonlyArray<{ readonly path: string; readonly message: string; readonly errorCode?: string }>;
}

/**
 * The refusal of a request that does not keep to the contract.
 * @param hasBody without one there is no media type that could be wrong
 */
export function contractViolation(thrown: RequestError, operation: OperationId | undefined, hasBody: boolean): Refusal {
  if (thrown.status === 413) return new Refusal('payload_too_large', 'The body is too large.');
  const codes: readonly string[] = operation ? Object.keys(OPERATIONS[operation].failures) : [];
  // OAuth has a name of its own for every malformed request (RFC 6749, section 5.2)
  const isOAuth = codes.includes('invalid_request');
  if (thrown.status === 415 && !hasBody)
    return new Refusal(isOAuth ? 'invalid_request' : 'bad_parameter', 'The body is missing.', { body: 'is required' });
  if (isOAuth)
    return new Refusal('invalid_request', `${sentence(thrown)} Check the Content-Type header.`, detailOf(thrown));
  if (thrown.status === 415) return new Refusal('unsupported_media_type', 'Send the body as application/json.');
  return new Refusal('bad_parameter', sentence(thrown), detailOf(thrown));
}

function sentence(thrown: RequestError): string {
  const [first] = Object.entries(detailOf(thrown));
  if (first !== undefined) return `The parameter ${first[0]} ${first[1]}.`;
  return thrown.type === 'entity.parse.failed' ? 'The body is not valid JSON.' : 'The request cannot be read.';
}

function detailOf({ status, errors = [] }: RequestError): Record<string, string> {
  // a header is at fault, and the validator names the path of the call instead
  if (status === 415) return {};
  const named = errors.map(
    ({ path, message, errorCode }) => [parameterOf(path, errorCode), problemOf(message)] as const,
  );
  return Object.fromEntries(named.filter(([name]) => name !== ''));
}

/** '/body/origin/lat' is the parameter origin.lat, '/query/lat' is lat. */
function parameterOf(path: string, errorCode: string | undefined): string {
  const [, , ...names] = path.split('/');
  return names.length === 0 && errorCode?.startsWith('required') ? 'body' : names.join('.');
}

function problemOf(message: string): string {
  if (/^must have required property/.test(message)) return 'is required';
  if (/unevaluated|additional propert|Unknown query parameter/i.test(message))
    return 'is not a parameter of this operation';
  return message;
}
