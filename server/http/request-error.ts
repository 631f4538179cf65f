import type { OperationId } from '../../generated/server.ts';
import { Refusal } from '../domain/refusal.ts';
import { bodyMismatch, bodyTooLarge } from './faults.ts';

/** An error of the body parser or the router. */
export interface RequestError extends Error {
  /** Below 500: a client error. */
  readonly status: number;
  /** Set by the body parser: 'entity.too.large', 'encoding.unsupported', … */
  readonly type?: string;
}

/** The refusal of an unreadable request. @param operation undefined for a path outside the contract */
export function refusalOfRequestError({ status, type }: RequestError, operation: OperationId | undefined): Refusal {
  if (operation === undefined) return unreadableElsewhere(status, type);
  return status === 413 ? bodyTooLarge() : bodyMismatch(operation);
}

function unreadableElsewhere(status: number, type: string | undefined): Refusal {
  if (status === 413) return bodyTooLarge();
  if (type === 'encoding.unsupported') {
    return new Refusal('unsupported_media_type', 'The Content-Encoding is not supported. Send the body uncompressed.');
  }
  const isJson = type === 'entity.parse.failed';
  return new Refusal('bad_parameter', isJson ? 'The body is not valid JSON.' : 'The request cannot be read.');
}
