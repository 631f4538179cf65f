import fc from 'fast-check';
import type { OperationId } from '../../../generated/server.ts';
import type { Attack } from './attack.ts';
import { wrongBodies } from './broken/bodies.ts';
import { scenarios, wrongCallers, wrongMethods, wrongPaths } from './broken/calls.ts';
import { longRequests } from './broken/long.ts';
import { wrongAuthorizations, wrongParameters } from './broken/parameters.ts';
import { soundAttacks } from './sound.ts';

const made = new Map<OperationId, fc.Arbitrary<Attack>>();

/** Calls of an operation, most of them broken. */
export function attacksOn(operation: OperationId): fc.Arbitrary<Attack> {
  const sound = { weight: 2, arbitrary: soundAttacks(operation) };
  const attacks = made.get(operation) ?? fc.oneof(sound, { weight: 3, arbitrary: brokenAttacks(operation) });
  made.set(operation, attacks);
  return attacks;
}

/** Calls of an operation that are almost as large as the limits allow. */
export function longAttacksOn(operation: OperationId): fc.Arbitrary<Attack> {
  return fc.oneof(...longRequests(operation).map(({ weight, attacks }) => ({ weight, arbitrary: attacks })));
}

/** Calls of an operation that are broken in one way. */
function brokenAttacks(operation: OperationId): fc.Arbitrary<Attack> {
  const isForBrowsers = operation === 'authorizeApplication';
  const ways = [
    ...[wrongMethods, wrongPaths, wrongCallers, scenarios, longRequests].flatMap((waysOf) => waysOf(operation)),
    ...(isForBrowsers ? wrongAuthorizations() : [...wrongParameters(operation), ...wrongBodies(operation)]),
  ];
  return fc.oneof(...ways.map(({ weight, attacks }) => ({ weight, arbitrary: attacks })));
}
