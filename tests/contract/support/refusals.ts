import { expect } from 'vitest';
import { WORLD_LIMITS } from '../../../generated/server.ts';
import { geography } from '../../../server/cities/geography.ts';
import type { Passenger } from '../../../server/domain/passenger.ts';
import type { AccountProblem } from '../../../server/domain/rides/standing.ts';
import { ACROSS_TOWN, aboutRide, bodyOf, byApplication, callAbout } from '../../support/accepted-calls.ts';
import { acceptedCall } from '../../support/operation-facts.ts';
import { FERRY_BUILDING, MISSION_DOLORES, PACIFIC_OCEAN } from '../../support/places.ts';
import { defaultToken, fillWorlds } from '../../support/sandboxes.ts';
import { ridingAt, type Stage } from '../../support/stages.ts';
import { startRiding } from '../../support/take-ride.ts';
import { accepted, type Detail, type OwnRecipes, type Recipe } from './shared-recipes.ts';

const at = ({ lat, lng }: { lat: number; lng: number }) => `lat=${lat}&lng=${lng}`;
const NOT_OFFERED = { ride_type: 'is not available here' };
/** San Francisco does not offer this ride type. */
const LUXSUV = 'svc_luxsuv';

/** An accepted call with another query or body, and the parameters at fault. */
const withQuery = (query: string, ...detail: Detail) => accepted({ query, detail });
const withBody = (body: object, ...detail: Detail) => accepted({ ...bodyOf(body), detail });

/** An authorization request of a browser without a session. */
const authorization = (query: string, ...detail: Detail) =>
  accepted({ query: `client_id=demo&${query}`, headers: { Accept: 'application/json' }, detail });

const OUTSIDE = { no_service_in_area: withQuery(at(PACIFIC_OCEAN)) };
const OUTSIDE_OR_LUXSUV = {
  ...OUTSIDE,
  ridetype_unavailable_in_region: withQuery(`${at(FERRY_BUILDING)}&ride_type=${LUXSUV}`, NOT_OFFERED),
};

/** A city control, called with a place outside every city. */
const outsideCity = (body: object) => ({
  no_service_in_area: withBody({ ...body, lat: 37.75, lng: -122.8 }),
});

/** An accepted call while the sandboxes of its application are full. */
const whileFullOf =
  (name: 'passengers' | 'rides' | 'events' | 'bytes'): Recipe =>
  async ({ server }, operation) => {
    const call = await acceptedCall(operation, server);
    const add = (count: number) =>
      server.store.db
        .updateTable('worldUsage')
        .set((row) => ({ [name]: row(name, '+', count) }))
        .where('worldId', '=', call.world.id)
        .execute();
    const during = async (send: () => Promise<Response>) => {
      await add(WORLD_LIMITS[name]);
      return send().finally(() => add(-WORLD_LIMITS[name]));
    };
    return { ...call, during };
  };

/** An accepted call after the world and its application have no webhook URL any more. */
const withoutUrl: Recipe = async ({ server }, operation) => {
  const call = await acceptedCall(operation, server);
  await server.client({ token: call.token! }).setWebhooks({ body: {} });
  return call;
};

const inNewWorld: Recipe = ({ server }) => byApplication()(server);

/** An accepted call while another one of the application is not finished. */
const whileResending: Recipe = async ({ server }, operation) => {
  const call = await acceptedCall('getResend', server);
  const set = (state: 'running' | 'finished') =>
    server.store.db.updateTable('resends').set({ state }).where('worldId', '=', call.world.id).execute();
  const during = async (send: () => Promise<Response>) => {
    await set('running');
    return send().finally(() => set('finished'));
  };
  return { ...(await acceptedCall(operation, server)), token: call.token!, during };
};

const SAN_FRANCISCO = geography.areas.find(({ id }) => id === 'san-francisco')!;
const IN_SAN_FRANCISCO = SAN_FRANCISCO.rideTypes.map(({ rideType }) => rideType).join(', ');

/** The terminals of San Francisco's airport. */
const NO_DROP_OFFS = { lat: 37.617, lng: -122.384 };

const about =
  (stage: Stage, body?: object): Recipe =>
  ({ server }) =>
    aboutRide(stage, body)(server);

/** A ride request that accepts Prime Time, with one change. */
const request = (change: object, ...detail: Detail) => withBody({ ...ACROSS_TOWN, ...change }, ...detail);

/** The first request of a passenger who must fix a problem with their account. */
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

/** How to make each operation fail with its own codes. A new code without a recipe does not compile. */
export const REFUSALS: OwnRecipes = {
  authorizeApplication: {
    invalid_request: withQuery('client_id=stranger&response_type=code', { client_id: 'is not known' }),
    unsupported_response_type: authorization('response_type=token', {
      response_type: 'must be one of code',
    }),
    invalid_scope: authorization('response_type=code&scope=unknown', {
      scope: expect.stringContaining('unknown cannot be granted; available: public'),
    }),
  },
  createToken: {
    invalid_request: withBody({ grant_type: 'authorization_code' }, { code: 'is required' }),
    unsupported_grant_type: withBody({ grant_type: 'password' }, { grant_type: 'is not supported' }),
    invalid_grant: withBody({ grant_type: 'authorization_code', code: 'made-up' }),
    invalid_scope: withBody(
      { grant_type: 'client_credentials', scope: 'rides.read' },
      { scope: 'rides.read cannot be granted; available: public events' },
    ),
  },
  revokeToken: { invalid_request: withBody({}, { token: 'is required' }) },
  revokeRefreshToken: { invalid_request: withBody({}, { token: 'is required' }) },
  listRideTypes: OUTSIDE_OR_LUXSUV,
  estimateEta: OUTSIDE_OR_LUXSUV,
  estimateCost: {
    no_service_in_area: withQuery('start_lat=37.75&start_lng=-122.8'),
    ridetype_unavailable_in_region: withQuery(`start_lat=37.7955&start_lng=-122.3937&ride_type=${LUXSUV}`, NOT_OFFERED),
  },
  listDrivers: OUTSIDE,
  listPickupEtas: OUTSIDE_OR_LUXSUV,
  requestRide: {
    no_service_in_area: request({ origin: PACIFIC_OCEAN }),
    ridetype_unavailable_in_region: request({ ride_type: LUXSUV }, NOT_OFFERED),
    invalid_primetime_confirmation: request({ cost_token: 'made-up' }),
    destination_prohibited: request({ destination: NO_DROP_OFFS }),
    client_error: request({ destination: FERRY_BUILDING }),
    primetime_confirmation_required: accepted({ ...bodyOf(ACROSS_TOWN), extra: PRIME_TIME }),
    user_payment_required: requestBy({ paymentMethod: null }, 'payment'),
    account_disabled: requestBy({ accountDisabled: true }, 'suspended'),
    user_in_driver_mode: requestBy({ driverMode: true }, 'driver-mode'),
    verified_phone_required: requestBy({ phoneVerified: false }, 'phone'),
    no_drivers_available: async ({ server, whileNobodyDrives }) => ({
      ...(await acceptedCall('requestRide', server)),
      during: whileNobodyDrives,
    }),
    user_already_in_ride: async ({ server }) => {
      const { token, rideId } = await startRiding(server);
      return { token, ...bodyOf(ACROSS_TOWN), detail: [{ ride_id: rideId }] };
    },
    too_many_rides: whileFullOf('rides'),
    too_many_events: whileFullOf('events'),
    too_many_bytes: whileFullOf('bytes'),
  },
  updateDestination: {
    invalid_destination: withBody(PACIFIC_OCEAN),
    destination_prohibited: withBody(NO_DROP_OFFS),
    ride_is_lyft_line: async ({ server }) =>
      callAbout(await startRiding(server, { ride_type: 'svc_line' }), MISSION_DOLORES),
    ride_is_finished: about('droppedOff', MISSION_DOLORES),
  },
  rateRide: {
    user_cannot_rate_this_ride: async ({ server }) => {
      const rated = await ridingAt(server, 'droppedOff');
      await rated.api.rateRide({ params: rated.params, body: { rating: 5 } });
      return callAbout(rated, { rating: 4 });
    },
    tip_too_large: withBody(
      { rating: 5, tip: { amount: 100_000, currency: 'USD' } },
      { 'tip.amount': expect.stringMatching(/^must be at most \d+$/) },
    ),
    tip_currency_not_accepted: withBody(
      { rating: 5, tip: { amount: 300, currency: 'EUR' } },
      { 'tip.currency': 'must be USD' },
    ),
    ride_not_finished: about('pending', { rating: 5 }),
  },
  getReceipt: { receipt_not_available: about('droppedOff') },
  cancelRide: {
    invalid_cancel_confirmation: withBody({ cancel_confirmation_token: 'made-up' }),
    cancel_confirmation_required: accepted({ ...bodyOf({}), extra: FEE }),
    ride_is_finished: about('droppedOff'),
  },
  setRideStatus: {
    bad_parameter: withBody(
      { status: 'pending' },
      { status: 'must be one of: accepted, arrived, pickedUp, droppedOff, canceled, unknown' },
    ),
  },
  setPrimeTime: outsideCity({ primetime_percentage: '25%' }),
  setRideTypes: {
    ...outsideCity({ ride_types: [] }),
    ridetype_unavailable_in_region: withBody(
      { ...FERRY_BUILDING, ride_types: [LUXSUV] },
      { ride_types: `must be from this list: ${IN_SAN_FRANCISCO}` },
    ),
  },
  setDriverAvailability: {
    ...outsideCity({ driver_availability: false }),
    ridetype_unavailable_in_region: accepted({ path: { ride_type: LUXSUV }, detail: [NOT_OFFERED] }),
  },
  createWorld: {
    too_many_worlds: async ({ server }) => {
      const applicationId = 'full';
      await fillWorlds(server, applicationId, WORLD_LIMITS.worlds);
      const world = await server.newWorld({ id: 'sandbox', applicationId });
      return { token: await server.newToken({ world, applicationId }) };
    },
    too_many_bytes: whileFullOf('bytes'),
  },
  createPassenger: { too_many_passengers: whileFullOf('passengers'), too_many_bytes: whileFullOf('bytes') },
  deleteWorld: { world_is_default: async ({ server }) => ({ token: await defaultToken(server) }) },
  resendEvent: {
    event_not_found: accepted({ path: { event_id: 'no-such-event' } }),
    too_many_bytes: whileFullOf('bytes'),
  },
  getWebhookEvent: { event_not_found: accepted({ path: { event_id: 'no-such-event' } }) },
  resendWebhookEvent: {
    event_not_found: accepted({ path: { event_id: 'no-such-event' } }),
    no_webhook_url: withoutUrl,
    too_many_bytes: whileFullOf('bytes'),
  },
  getResend: { resend_not_found: inNewWorld },
  resendWebhookEvents: {
    no_webhook_url: withoutUrl,
    resend_running: whileResending,
    too_many_bytes: whileFullOf('bytes'),
  },
  cancelResend: { resend_not_found: inNewWorld },
};
