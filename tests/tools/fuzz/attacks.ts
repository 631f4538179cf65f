import fc from 'fast-check';
import type { OperationId } from '../../../generated/server.ts';
import type { Attack } from './attack.ts';
import { brokenAttacks } from './broken.ts';
import { soundAttacks } from './sound.ts';

const made = new Map<OperationId, fc.Arbitrary<Attack>>();

/** Calls of an operation, more broken than sound. */
export function attacksOn(operation: OperationId): fc.Arbitrary<Attack> {
  const found = made.get(operation) ?? newAttacksOn(operation);
  made.set(operation, found);
  return found;
}

function newAttacksOn(operation: OperationId): fc.Arbitrary<Attack> {
  return fc.oneof(
    { weight: 2, arbitrary: soundAttacks(operation) },
    { weight: 3, arbitrary: brokenAttacks(operation) },
  );
}
