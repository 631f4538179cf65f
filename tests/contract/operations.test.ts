import { expect, test } from 'vitest';
import { OPERATIONS, type OperationId } from '../../generated/server.ts';
import { operationsOf, partsOf } from '../../scripts/contract/bundle.ts';
import { contract } from '../../scripts/contract/read.ts';
import { OPERATION_FACTS } from '../support/operation-facts.ts';
import { OPERATION_IDS } from '../support/operations.ts';

/** Controls that other servers with this interface have too. */
const CONTROLS: readonly OperationId[] = ['setRideStatus', 'setPrimeTime', 'setRideTypes', 'setDriverAvailability'];

const places = OPERATION_IDS.map((id) => [id, OPERATION_FACTS[id].place.replace(/ (?!\/)/, '/')] as const);

test.each(places)('the method and path of %s are %s', (id, place) => {
  const { method, path } = OPERATIONS[id];
  expect(`${method.toUpperCase()} ${path}`).toBe(place);
});

test('exactly the controls of a sandbox are under /sandbox/v1', () => {
  const operations = Object.values(OPERATIONS);
  const controls = operations.filter(({ tag }) => tag === 'Sandbox').map(({ path }) => path);
  expect(controls.length).toBeGreaterThan(CONTROLS.length);
  expect(operations.map(({ path }) => path).filter((path) => path.startsWith('/sandbox/v1/'))).toEqual(controls);
});

test('every control that only this server has is marked as an extension', () => {
  const controls = operationsOf(contract).filter(({ operation }) => operation.tags.includes('Sandbox'));
  const stated = controls.filter(({ operation }) => !('x-badges' in operation));
  expect(stated.map(({ id }) => id).sort()).toEqual([...CONTROLS].sort());
});

test.each(['RideRequest', 'PrimeTimeConfirmationRequired', 'CostEstimate'])(
  'only the old name of a cost token in %s is deprecated',
  (name) => {
    const fields = partsOf(contract.components!.schemas![name]!).flatMap(({ properties = {} }) =>
      Object.entries(properties),
    );
    const deprecated = fields.filter(([, { deprecated }]) => deprecated).map(([field]) => field);
    expect(fields.map(([field]) => field)).toContain('cost_token');
    expect(deprecated).toEqual(['primetime_confirmation_token']);
  },
);
