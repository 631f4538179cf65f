import type { Request } from 'express';
import type { OperationId } from '../../generated/server.ts';
import type { AnyCaller } from './caller.ts';

/** What we know of a request: the operation after routing, the caller after authentication. */
interface Call {
  readonly operation: OperationId;
  /** The failure that the request asks for by name; null if none. */
  readonly scenario: string | null;
  /** Whether the response is that failure, which the log must not count as a fault. */
  failsAsAsked: boolean;
  caller: AnyCaller | null;
}

const calls = new WeakMap<Request, Call>();

export function beginCall(req: Request, operation: OperationId, scenario: string | null): void {
  calls.set(req, { operation, scenario, failsAsAsked: false, caller: null });
}

/** Undefined for a path outside the contract. */
export function callOf(req: Request): Call | undefined {
  return calls.get(req);
}

export function setCaller(req: Request, caller: AnyCaller): void {
  calls.get(req)!.caller = caller;
}

export function failAsAsked(req: Request): void {
  calls.get(req)!.failsAsAsked = true;
}

/** Throws an Error before authentication: the middleware is in the wrong order. */
export function callerOf(req: Request): AnyCaller {
  const caller = calls.get(req)?.caller;
  if (!caller) throw new Error('No caller: authenticate comes first');
  return caller;
}
