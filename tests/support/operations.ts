import { OPERATIONS, type OperationId } from '../../generated/server.ts';

/** An operation that programs call; the others are pages for people. */
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

/** An operation's path with an id that nothing has in the place of each of its parameters. */
export function pathOf(path: string): string {
  return path.replace(/\{\w+\}/g, 'ride-1');
}

/** The first of the schemes that let somebody call an operation. */
export function firstSchemeOf(id: CallId): Security[number] {
  return OPERATIONS[id].security[0];
}
