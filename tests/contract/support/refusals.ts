import { expect } from 'vitest';
import type { FailureCode, OperationId } from '../../../generated/server.ts';
import type { Passenger } from '../../../server/domain/passenger.ts';
import type { AccountProblem } from '../../../server/domain/rides/standing.ts';
import { ACROSS_TOWN, callAbout, ridingTo } from '../../support/accepted-calls.ts';
import { acceptedCall } from '../../support/operation-facts.ts';
import { FERRY_BUILDING, MISSION_DOLORES, PACIFIC_OCEAN } from '../../support/places.ts';
import { startRiding } from '../../support/take-ride.ts';
import { SANDBOX_REFUSALS } from './sandbox-refusals.ts';
import {
  accepted,
  anybody,
  BAD_RIDE_ID,
  bearer,
  bodyOf,
  client,
  type Detail,
  oneRide,
  type Recipe,
  sender,
  UNKNOWN_PARAMETER,
} from './shared-recipes.ts';

const at = ({ lat, lng }: { lat: number; lng: number }) => `lat=${lat}&lng=${lng}`;
const NOT_OFFERED = [{ ride_type: 'is not offered here' }];
const BAD_LATITUDE = { query: 'lat=91&lng=0', detail: [{ lat: 'must be at most 90' }] };
/** San Francisco does not have it. */
const LUXSUV = 'svc_luxsuv';

const place = (operation: OperationId) => ({
  ...bearer(operation),
  bad_parameter: accepted(operation, BAD_LATITUDE),
  no_service_in_area: accepted(operation, { query: at(PACIFIC_OCEAN) }),
});

const placeAndType = (operation: OperationId) => ({
  ...place(operation),
  ridetype_unavailable_in_region: accepted(operation, {
    query: `${at(FERRY_BUILDING)}&ride_type=${LUXSUV}`,
    detail: NOT_OFFERED,
  }),
});

// ── Recipes of one operation ─────────────────────────────────────────────

/** At the terminals of San Francisco's airport. */
const NO_DROP_OFFS = { lat: 37.617, lng: -122.384 };

/** A request that Prime Time is agreed to, but for this. */
const request = (change: object, detail: Detail = []): Recipe =>
  accepted('requestRide', { ...bodyOf({ ...ACROSS_TOWN, ...change }), detail });

/** The first request of a passenger about whom something is to be put right. */
const requestBy =
  (traits: Partial<Passenger>, problem: AccountProblem): Recipe =>
  async ({ server }) => {
    const { token } = await server.newRider(await server.newWorld(), traits);
    return { token, ...bodyOf(ACROSS_TOWN), extra: { error_uri: `${server.parts.publicUrl}/account/${problem}` } };
  };

const PRIME_TIME = {
  primetime_percentage: '25%',
  primetime_multiplier: 1.25,
  cost_token: expect.any(String),
  primetime_confirmation_token: expect.any(String),
  token_duration: '60',
};

const FEE = {
  amount: expect.toSatisfy((amount: unknown) => Number.isInteger(amount) && Number(amount) > 0),
  currency: 'USD',
  token: expect.any(String),
  token_duration: 60,
};

/** How each operation comes to refuse with each code that the contract gives it. */
export const REFUSALS = {
  authorizeApplication: {
    ...anybody('authorizeApplication'),
    invalid_request: accepted('authorizeApplication', {
      query: 'client_id=stranger&response_type=code',
      detail: [{ client_id: 'is not known' }],
    }),
  },
  createToken: {
    ...client('createToken'),
    invalid_request: accepted('createToken', {
      ...bodyOf({ grant_type: 'authorization_code' }),
      detail: [{ code: 'is required' }],
    }),
    unsupported_grant_type: accepted('createToken', {
      ...bodyOf({ grant_type: 'password' }),
      detail: [{ grant_type: 'is not supported' }],
    }),
    invalid_grant: accepted('createToken', bodyOf({ grant_type: 'authorization_code', code: 'made-up' })),
    invalid_scope: accepted('createToken', {
      ...bodyOf({ grant_type: 'client_credentials', scope: 'rides.read' }),
      detail: [{ scope: 'rides.read cannot be given; public can' }],
    }),
  },
  revokeRefreshToken: {
    ...client('revokeRefreshToken'),
    invalid_request: accepted('revokeRefreshToken', { ...bodyOf({}), detail: [{ token: 'is required' }] }),
  },
  listRideTypes: placeAndType('listRideTypes'),
  estimateEta: placeAndType('estimateEta'),
  estimateCost: {
    ...bearer('estimateCost'),
    bad_parameter: accepted('estimateCost', {
      query: 'start_lat=91&start_lng=0',
      detail: [{ start_lat: 'must be at most 90' }],
    }),
    no_service_in_area: accepted('estimateCost', { query: 'start_lat=37.75&start_lng=-122.8' }),
    ridetype_unavailable_in_region: accepted('estimateCost', {
      query: `start_lat=37.7955&start_lng=-122.3937&ride_type=${LUXSUV}`,
      detail: NOT_OFFERED,
    }),
  },
  listDrivers: place('listDrivers'),
  listPickupEtas: placeAndType('listPickupEtas'),
  listRides: {
    ...bearer('listRides'),
    bad_parameter: accepted('listRides', {
      query: 'start_time=2026-01-01T00:00:00Z&limit=51',
      detail: [{ limit: 'must be at most 50' }],
    }),
  },
  requestRide: {
    ...sender('requestRide'),
    bad_parameter: request({ origin: { lat: 37.7 } }, [{ 'origin.lng': 'is required' }]),
    no_service_in_area: request({ origin: PACIFIC_OCEAN }),
    ridetype_unavailable_in_region: request({ ride_type: LUXSUV }, NOT_OFFERED),
    invalid_primetime_confirmation: request({ cost_token: 'made-up' }),
    destination_prohibited: request({ destination: NO_DROP_OFFS }),
    client_error: request({ destination: FERRY_BUILDING }),
    primetime_confirmation_required: accepted('requestRide', { ...bodyOf(ACROSS_TOWN), extra: PRIME_TIME }),
    user_payment_required: requestBy({ paymentMethod: null }, 'payment'),
    account_disabled: requestBy({ accountDisabled: true }, 'suspended'),
    user_in_driver_mode: requestBy({ driverMode: true }, 'driver-mode'),
    verified_phone_required: requestBy({ phoneVerified: false }, 'phone'),
    no_drivers_available: async ({ server, whileNobodyDrives }) => ({
      ...(await acceptedCall('requestRide', server)),
      during: whileNobodyDrives,
    }),
    user_already_in_ride: async ({ server }) => ({ token: (await startRiding(server)).token, ...bodyOf(ACROSS_TOWN) }),
  },
  getRide: {
    ...bearer('getRide'),
    ...oneRide('getRide'),
    bad_parameter: accepted('getRide', BAD_RIDE_ID),
  },
  updateDestination: {
    ...sender('updateDestination'),
    ...oneRide('updateDestination'),
    bad_parameter: accepted('updateDestination', { ...bodyOf({ lat: 37.7 }), detail: [{ lng: 'is required' }] }),
    invalid_destination: accepted('updateDestination', bodyOf(PACIFIC_OCEAN)),
    destination_prohibited: accepted('updateDestination', bodyOf(NO_DROP_OFFS)),
    ride_is_lyft_line: async ({ server }) =>
      callAbout(await startRiding(server, { ride_type: 'svc_line' }), MISSION_DOLORES),
    ride_is_finished: async ({ server }) => callAbout(await ridingTo(server, 'droppedOff'), MISSION_DOLORES),
  },
  rateRide: {
    ...sender('rateRide'),
    ...oneRide('rateRide'),
    bad_parameter: accepted('rateRide', { ...bodyOf({ rating: 6 }), detail: [{ rating: 'must be at most 5' }] }),
    user_cannot_rate_this_ride: async ({ server }) => {
      const rated = await ridingTo(server, 'droppedOff');
      await rated.api.rateRide({ params: rated.params, body: { rating: 5 } });
      return callAbout(rated, { rating: 4 });
    },
    tip_too_large: accepted('rateRide', {
      ...bodyOf({ rating: 5, tip: { amount: 100_000, currency: 'USD' } }),
      detail: [{ 'tip.amount': expect.stringMatching(/^must be at most \d+$/) }],
    }),
    tip_currency_not_accepted: accepted('rateRide', {
      ...bodyOf({ rating: 5, tip: { amount: 300, currency: 'EUR' } }),
      detail: [{ 'tip.currency': 'must be USD' }],
    }),
    ride_not_finished: async ({ server }) => callAbout(await startRiding(server), { rating: 5 }),
  },
  getReceipt: {
    ...bearer('getReceipt'),
    ...oneRide('getReceipt'),
    bad_parameter: accepted('getReceipt', BAD_RIDE_ID),
    receipt_not_available: async ({ server }) => callAbout(await ridingTo(server, 'droppedOff')),
  },
  cancelRide: {
    ...sender('cancelRide'),
    ...oneRide('cancelRide'),
    bad_parameter: accepted('cancelRide', {
      ...bodyOf({ cancel_confirmation_token: 7 }),
      detail: [{ cancel_confirmation_token: 'must be a string' }],
    }),
    invalid_cancel_confirmation: accepted('cancelRide', bodyOf({ cancel_confirmation_token: 'made-up' })),
    cancel_confirmation_required: accepted('cancelRide', { ...bodyOf({}), extra: FEE }),
    ride_is_finished: async ({ server }) => callAbout(await ridingTo(server, 'droppedOff')),
  },
  getProfile: {
    ...bearer('getProfile'),
    bad_parameter: accepted('getProfile', UNKNOWN_PARAMETER),
  },
  ...SANDBOX_REFUSALS,
} satisfies { readonly [Op in OperationId]: { readonly [Code in FailureCode<Op>]: Recipe } };
