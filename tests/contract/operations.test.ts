import { expect, test } from 'vitest';
import { OPERATIONS, type OperationId } from '../../generated/server.ts';
import { type Schema as ContractSchema, operationsOf, resolve } from '../../scripts/generate/contract.ts';
import { contract } from './support/contract.ts';

/** What the specification's summary lists: method, and path behind the version. */
const VERSIONED: Readonly<Partial<Record<OperationId, string>>> = {
  requestRide: 'POST rides',
  getRide: 'GET rides/{ride_id}',
  updateDestination: 'PUT rides/{ride_id}/destination',
  rateRide: 'PUT rides/{ride_id}/rating',
  getReceipt: 'GET rides/{ride_id}/receipt',
  cancelRide: 'POST rides/{ride_id}/cancel',
  listRides: 'GET rides',
  getProfile: 'GET profile',
  listRideTypes: 'GET ridetypes',
  estimateEta: 'GET eta',
  estimateCost: 'GET cost',
  listDrivers: 'GET drivers',
  listPickupEtas: 'GET nearby-drivers-pickup-etas',
};
const UNVERSIONED: Readonly<Partial<Record<OperationId, string>>> = {
  authorizeApplication: 'GET oauth/authorize',
  createToken: 'POST oauth/token',
  revokeRefreshToken: 'POST oauth/revoke_refresh_token',
};
/** The controls that other servers of the interface have as well. */
const CONTROLS: Readonly<Partial<Record<OperationId, string>>> = {
  setRideStatus: 'PUT rides/{ride_id}',
  setPrimeTime: 'PUT primetime',
  setRideTypes: 'PUT ridetypes',
  setDriverAvailability: 'PUT ridetypes/{ride_type}',
};

const placeOf = ({ method, path }: { readonly method: string; readonly path: string }) =>
  `${method.toUpperCase()} ${path}`;

test.each([
  ...Object.entries(VERSIONED).map(([operation, place]) => [operation, place.replace(' ', ' /v1/')] as const),
  ...Object.entries(UNVERSIONED).map(([operation, place]) => [operation, place.replace(' ', ' /')] as const),
  ...Object.entries(CONTROLS).map(([operation, place]) => [operation, place.replace(' ', ' /sandbox/v1/')] as const),
])('%s is %s', (operation, place) => {
  expect(placeOf(OPERATIONS[operation as OperationId])).toBe(place);
});

test('no other operation stands under /v1', () => {
  const versioned = Object.entries(OPERATIONS).filter(([, { path }]) => path.startsWith('/v1'));
  expect(versioned.map(([operation]) => operation).sort()).toEqual(Object.keys(VERSIONED).sort());
});

test('every control of a sandbox stands under /sandbox/v1, and nothing else does', () => {
  const operations = Object.values(OPERATIONS);
  const controls = operations.filter(({ tag }) => tag === 'Sandbox').map(({ path }) => path);
  expect(controls.length).toBeGreaterThan(Object.keys(CONTROLS).length);
  expect(operations.map(({ path }) => path).filter((path) => path.startsWith('/sandbox/v1/'))).toEqual(controls);
});

test('what is not one of the four controls of others is marked as an extension', () => {
  const controls = operationsOf(contract).filter(({ operation }) => operation.tags.includes('Sandbox'));
  const stated = controls.filter(({ operation }) => !('x-badges' in operation));
  expect(stated.map(({ operation }) => operation.operationId).sort()).toEqual(Object.keys(CONTROLS).sort());
});

test.each(['RideRequest', 'PrimeTimeConfirmationRequired', 'CostEstimate'])(
  'of the two names of a cost token in %s the old one alone is deprecated',
  (name) => {
    const properties = propertiesOf(resolve<ContractSchema>(contract, { $ref: `#/components/schemas/${name}` }));
    const deprecated = Object.keys(properties).filter((field) => properties[field]!.deprecated);
    expect(properties).toHaveProperty('cost_token');
    expect(deprecated).toEqual(['primetime_confirmation_token']);
  },
);

/** The fields of a schema and of its parts. */
function propertiesOf({ properties = {}, allOf = [] }: ContractSchema): Record<string, ContractSchema> {
  const own = Object.entries(properties).map(([name, property]) => [name, resolve(contract, property)] as const);
  return Object.assign({}, ...allOf.map((part) => propertiesOf(resolve(contract, part))), Object.fromEntries(own));
}
