import type { Request } from 'express';
import type { OperationId } from '../../generated/server.ts';
import type { AnyCaller } from './caller.ts';
import { type Call, notesOf } from './notes.ts';

export function beginCall(req: Request, operation: OperationId, scenario: string | null): void {
  notesOf(req).call = { operation, scenario, failsAsAsked: false, caller: null };
}

/** Undefined for a path outside the contract. */
export function callOf(req: Request): Call | undefined {
  return notesOf(req).call;
}

export function setCaller(req: Request, caller: AnyCaller): void {
  notesOf(req).call!.caller = caller;
}

export function failAsAsked(req: Request): void {
  notesOf(req).call!.failsAsAsked = true;
}

/** Throws an Error before authentication, which means that the middleware is in the wrong order. */
export function callerOf(req: Request): AnyCaller {
  const caller = notesOf(req).call?.caller;
  if (!caller) throw new Error('No caller: authenticate must run first');
  return caller;
}

/** Records the error code of a response for metrics. */
export function noteFailure(req: Request, code: string): void {
  notesOf(req).failure = code;
}
