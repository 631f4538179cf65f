import { OPERATIONS, type OperationId } from '../../generated/server.ts';
import type { SandboxId } from './accepted-sandbox-calls.ts';

/** An operation that programs call; the others are pages for people. */
export type CallId = {
  [Id in OperationId]: (typeof OPERATIONS)[Id]['successMediaType'] extends 'text/html' ? never : Id;
}[OperationId];

type Security = ReadonlyArray<{ readonly scheme: string; readonly scopes: readonly string[] }>;

export const CALL_IDS = (Object.keys(OPERATIONS) as OperationId[]).filter(isCall);

/** One that is not a control of a sandbox. */
export type ApiCallId = Exclude<CallId, SandboxId>;

export const API_CALL_IDS = CALL_IDS.filter((id): id is ApiCallId => OPERATIONS[id].tag !== 'Sandbox');

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
