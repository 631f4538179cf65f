import type { Request } from 'express';
import { OPERATIONS, type OperationId } from '../../generated/server.ts';
import { Refusal } from '../domain/refusal.ts';
import { callerOf } from './call.ts';

const CODE = 'sandbox_only';

/** Throws Refusal `sandbox_only` for a call in the live world, if the operation declares that code. */
export function assertSandboxIfDue(operation: OperationId, req: Request): void {
  if (!Object.hasOwn(OPERATIONS[operation].failures, CODE)) return;
  const caller = callerOf(req);
  if ('world' in caller && caller.world.kind === 'sandbox') return;
  const how = 'Use a token from the sandbox secret.';
  throw new Refusal(CODE, `This operation works only in a sandbox. ${how}`);
}
