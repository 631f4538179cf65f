import type { OperationId } from '../../generated/server.ts';
import * as call from './accepted-calls.ts';
import { FERRY_BUILDING, MISSION_DOLORES } from './places.ts';
import type { TestServer } from './server.ts';

const { aboutRide, byApplication, byPassenger, bodyOf } = call;

/** What an operation promises. Written by hand, so that the tests find a mistake in the contract. */
export interface OperationFacts {
  /** Method, prefix, and the rest of the path. */
  readonly place: string;
  readonly access: Access;
  /** Calls a minute. */
  readonly limit: number;
  /** The status of a success. */
  readonly status: number;
  /** Makes a call that the operation accepts. Of several possible calls, makes the one that writes the most. */
  readonly sample: call.Sample;
}

/** The scope of an operation, and the kinds of tokens that can have it. Null: it takes no access token. */
interface Access {
  readonly scope: string | null;
  readonly takes: ReadonlyArray<'client' | 'passenger'>;
}

const NO_TOKEN: Access = { scope: null, takes: [] };
const PUBLIC: Access = { scope: 'public', takes: ['client', 'passenger'] };
/** For operations that return an access token. */
const CLIENT_ALONE: Access = { scope: 'public', takes: ['client'] };
const EVENTS: Access = { scope: 'events', takes: ['client'] };
const PASSENGER_ALONE: Access = { scope: 'public', takes: ['passenger'] };
const PROFILE: Access = { scope: 'profile', takes: ['passenger'] };
const READ: Access = { scope: 'rides.read', takes: ['passenger'] };
const REQUEST: Access = { scope: 'rides.request', takes: ['passenger'] };

const { lat, lng } = FERRY_BUILDING;
const atFerry = byApplication({ query: `lat=${lat}&lng=${lng}` });
const fromFerry = byApplication({ query: `start_lat=${lat}&start_lng=${lng}` });
const withBody = (body: object) => byApplication(bodyOf(body));
const history: call.Sample = async (server) => ({
  ...(await aboutRide('droppedOff')(server)),
  query: 'start_time=2026-01-01T00:00:00Z',
});
const toMission = aboutRide('accepted', MISSION_DOLORES);
const rating = { rating: 5, tip: { amount: 300, currency: 'USD' } };
const toTheEnd = aboutRide('pending', { status: 'droppedOff' });
const rushHour = withBody({ lat, lng, primetime_percentage: '50%' });
const withoutPayment = byPassenger(bodyOf({ payment_method: null }));
const duplicates = withBody({ url: call.CLOSED_PORT_URL, duplicates: 1 });
const noDrivers = { path: { ride_type: 'svc' }, ...bodyOf({ lat, lng, driver_availability: false }) };

/** Does not compile without a row for every operation. */
export const OPERATION_FACTS: Readonly<Record<OperationId, OperationFacts>> = {
  authorizeApplication: row('GET /oauth authorize', NO_TOKEN, 1000, 200, call.consent),
  createToken: row('POST /oauth token', NO_TOKEN, 1000, 200, call.codeExchange),
  revokeToken: row('POST /oauth revoke', NO_TOKEN, 1000, 200, call.revocation),
  revokeRefreshToken: row('POST /oauth revoke_refresh_token', NO_TOKEN, 1000, 200, call.revocation),

  listRideTypes: row('GET /v1 ridetypes', PUBLIC, 10_000, 200, atFerry),
  estimateEta: row('GET /v1 eta', PUBLIC, 10_000, 200, atFerry),
  estimateCost: row('GET /v1 cost', PUBLIC, 10_000, 200, fromFerry),
  listDrivers: row('GET /v1 drivers', PUBLIC, 5, 200, atFerry),
  listPickupEtas: row('GET /v1 nearby-drivers-pickup-etas', PUBLIC, 10_000, 200, atFerry),

  listRides: row('GET /v1 rides', READ, 1000, 200, history),
  requestRide: row('POST /v1 rides', REQUEST, 5, 201, call.secondRequest),
  getRide: row('GET /v1 rides/{ride_id}', READ, 1000, 200, aboutRide('accepted')),
  updateDestination: row('PUT /v1 rides/{ride_id}/destination', REQUEST, 5, 200, toMission),
  rateRide: row('PUT /v1 rides/{ride_id}/rating', REQUEST, 5, 204, aboutRide('droppedOff', rating)),
  getReceipt: row('GET /v1 rides/{ride_id}/receipt', READ, 1000, 200, call.receiptOfFee),
  cancelRide: row('POST /v1 rides/{ride_id}/cancel', REQUEST, 5, 204, call.cancelForFee),
  getProfile: row('GET /v1 profile', PROFILE, 5, 200, byPassenger()),

  setRideStatus: row('PUT /sandbox/v1 rides/{ride_id}', REQUEST, 1000, 200, toTheEnd),
  setPrimeTime: row('PUT /sandbox/v1 primetime', PUBLIC, 1000, 204, rushHour),
  setRideTypes: row('PUT /sandbox/v1 ridetypes', PUBLIC, 1000, 200, withBody({ lat, lng, ride_types: ['svc'] })),
  setDriverAvailability: row('PUT /sandbox/v1 ridetypes/{ride_type}', PUBLIC, 1000, 204, byApplication(noDrivers)),
  createWorld: row('POST /sandbox/v1 worlds', CLIENT_ALONE, 1000, 201, withBody({ seed: 'a seed' })),
  getWorld: row('GET /sandbox/v1 world', PUBLIC, 1000, 200, byApplication()),
  updateWorld: row('PATCH /sandbox/v1 world', PUBLIC, 1000, 200, withBody({ limits: false, auto_advance: false })),
  deleteWorld: row('DELETE /sandbox/v1 world', PUBLIC, 1000, 204, byApplication()),
  resetWorld: row('POST /sandbox/v1 world/reset', PUBLIC, 1000, 204, byApplication()),
  createPassenger: row('POST /sandbox/v1 passengers', CLIENT_ALONE, 1000, 201, withBody({ first_name: 'Ada' })),
  updatePassenger: row('PATCH /sandbox/v1 passenger', PASSENGER_ALONE, 1000, 200, withoutPayment),
  getClock: row('GET /sandbox/v1 clock', PUBLIC, 1000, 200, byApplication()),
  setClock: row('PUT /sandbox/v1 clock', PUBLIC, 1000, 200, withBody({ state: 'running' })),
  advanceClock: row('POST /sandbox/v1 clock/advance', PUBLIC, 1000, 200, withBody({ seconds: 61 })),
  setWebhooks: row('PUT /sandbox/v1 webhooks', PUBLIC, 1000, 200, duplicates),
  listEvents: row('GET /sandbox/v1 events', PUBLIC, 1000, 200, call.aboutEvent),
  resendEvent: row('POST /sandbox/v1 events/{event_id}/resend', PUBLIC, 1000, 202, call.aboutEvent),

  listWebhookEvents: row('GET /v1 events', EVENTS, 1000, 200, call.aboutEvent),
  getWebhookEvent: row('GET /v1 events/{event_id}', EVENTS, 1000, 200, call.aboutEvent),
  resendWebhookEvent: row('POST /v1 events/{event_id}/resend', EVENTS, 1000, 202, call.aboutEvent),
  getResend: row('GET /v1 events/resend', EVENTS, 1000, 200, call.aboutResend),
  resendWebhookEvents: row('POST /v1 events/resend', EVENTS, 10, 202, call.resend),
  cancelResend: row('DELETE /v1 events/resend', EVENTS, 1000, 204, call.aboutResend),
};

function row(place: string, access: Access, limit: number, status: number, sample: call.Sample): OperationFacts {
  return { place, access, limit, status, sample };
}

export function acceptedCall(operation: OperationId, server: TestServer): Promise<call.AcceptedCall> {
  return OPERATION_FACTS[operation].sample(server);
}
