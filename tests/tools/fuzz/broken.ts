import fc from 'fast-check';
import type { OperationId } from '../../../generated/server.ts';
import type { Attack } from './attack.ts';
import { wrongBodies } from './broken/bodies.ts';
import { scenarios, wrongCallers, wrongMethods, wrongPaths } from './broken/calls.ts';
import { wrongAuthorizations, wrongParameters } from './broken/parameters.ts';

/** Calls of an operation with one thing wrong. */
export function brokenAttacks(operation: OperationId): fc.Arbitrary<Attack> {
  const ways = [
    ...wrongMethods(operation),
    ...wrongPaths(operation),
    ...wrongCallers(operation),
    ...scenarios(operation),
    ...(operation === 'authorizeApplication'
      ? wrongAuthorizations()
      : [...wrongParameters(operation), ...wrongBodies(operation)]),
  ];
  return fc.oneof(...ways.map(({ weight, attacks }) => ({ weight, arbitrary: attacks })));
}
