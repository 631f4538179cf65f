import fc from 'fast-check';
import type { OperationId } from '../../../generated/server.ts';
import type { Attack } from './attack.ts';
import { brokenCalls } from './broken.ts';
import { longRequests } from './long.ts';
import { soundAttacks } from './sound.ts';

const made = new Map<OperationId, fc.Arbitrary<Attack>>();

/** Calls of an operation, most of them broken in one way. */
export function attacksOn(operation: OperationId): fc.Arbitrary<Attack> {
  const found = made.get(operation);
  if (found) return found;
  const broken = fc.oneof(...brokenCalls(operation), ...longRequests(operation));
  const attacks = fc.oneof({ weight: 2, arbitrary: soundAttacks(operation) }, { weight: 3, arbitrary: broken });
  made.set(operation, attacks);
  return attacks;
}

/** Calls of an operation that are almost as large as the limits allow. */
export function longAttacksOn(operation: OperationId): fc.Arbitrary<Attack> {
  return fc.oneof(...longRequests(operation));
}
