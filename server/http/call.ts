import type { Request } from 'express';
import type { OperationId } from '../../generated/server.ts';
import type { AnyCaller } from './caller.ts';

/** What is known of a request on its way: the operation once the route matched, the caller once authenticated. */
interface Call {
  readonly operation: OperationId;
  /** The failure that it asks for by name; null: none. */
  readonly scenario: string | null;
  /** Whether it gets that failure: then nothing is wrong here. */
  failsAsAsked: boolean;
  caller: AnyCaller | null;
}

const calls = new WeakMap<Request, Call>();

export function beginCall(req: Request, operation: OperationId, scenario: string | null): void {
  calls.set(req, { operation, scenario, failsAsAsked: false, caller: null });
}

/** The call that a request is; undefined for a path outside the contract. */
export function callOf(req: Request): Call | undefined {
  return calls.get(req);
}

export function setCaller(req: Request, caller: AnyCaller): void {
  calls.get(req)!.caller = caller;
}

export function failAsAsked(req: Request): void {
  calls.get(req)!.failsAsAsked = true;
}

/** Throws an Error before authentication: a fault in the order of the middleware. */
export function callerOf(req: Request): AnyCaller {
  const caller = calls.get(req)?.caller;
  if (!caller) throw new Error('No caller: authenticate comes first');
  return caller;
}
