import type { OperationId } from '../../generated/server.ts';
import type { Violation } from './contract-violation.ts';

/** The parts of a request that the contract describes, as the server has read them. */
export interface ReadRequest {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  readonly headers: Readonly<Record<string, unknown>>;
  body: unknown;
}

/** Judges requests and responses by the contract. One that compiles or waits is asynchronous. */
export interface ContractGuard {
  /**
   * Converts the texts of parameters to their types and adds defaults, in place. body.ts refuses a missing body if the
   * operation requires one.
   */
  readonly violationsIn: (
    operation: OperationId,
    request: ReadRequest,
  ) => readonly Violation[] | Promise<readonly Violation[]>;
  /** What is wrong with a JSON response, in words; null if it is valid. */
  readonly problemWith: (
    operation: OperationId,
    response: { readonly status: number; readonly body: unknown },
  ) => string | null | Promise<string | null>;
}
