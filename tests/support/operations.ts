import { OPERATIONS, type OperationId } from '../../generated/server.ts';

/** An operation for programs. The others return pages. */
export type CallId = {
  [Id in OperationId]: (typeof OPERATIONS)[Id]['successMediaType'] extends 'text/html' ? never : Id;
}[OperationId];

/** An operation that controls a sandbox. */
export type SandboxId = {
  [Id in OperationId]: (typeof OPERATIONS)[Id]['tag'] extends 'Sandbox' ? Id : never;
}[OperationId];

type Security = ReadonlyArray<{ readonly scheme: string; readonly scopes: readonly string[] }>;

export const OPERATION_IDS = Object.keys(OPERATIONS) as OperationId[];
export const CALL_IDS = OPERATION_IDS.filter(isCall);

export function isCall(id: OperationId): id is CallId {
  return OPERATIONS[id].successMediaType !== 'text/html';
}

/** A path with an unknown id for each parameter. */
export function pathOf(path: string): string {
  return path.replace(/\{\w+\}/g, 'ride-1');
}

export function firstSchemeOf(id: CallId): Security[number] {
  return OPERATIONS[id].security[0];
}
