import type { OperationId } from '../../generated/server.ts';
import { DEMO } from '../../server/demo.ts';
import type { Passenger } from '../../server/domain/passenger.ts';
import type { RideStatus } from '../../server/domain/rides/ride.ts';
import { HOUR_MS } from '../../server/domain/time.ts';
import type { World } from '../../server/domain/worlds/clock.ts';
import { ACCEPTED_IN_SANDBOX } from './accepted-sandbox-calls.ts';
import { decided, LIVE_CLIENT, newCode, newGrant, newLivePassenger, SANDBOX_CLIENT } from './oauth.ts';
import { DOLORES_PARK, FERRY_BUILDING, MISSION_DOLORES } from './places.ts';
import type { RawCall } from './raw-call.ts';
import { LIVE, type Rider, type TestServer } from './server.ts';
import { advanceUntil, feeOf, type Riding, startRiding } from './take-ride.ts';

/** A call that is accepted as it is, once. */
export interface AcceptedCall extends RawCall {
  /** Where it acts. */
  readonly world: World;
  /** Whom it acts for; null for an application. */
  readonly passenger: Passenger | null;
  /** Of the answer; left out: the operation's success. */
  readonly status?: number;
}

/** From a Tuesday morning's ride, at eleven, to the Prime Time of its evening. */
export const UNTIL_RUSH_HOUR_MS = 6.5 * HOUR_MS;
const AT_THE_FERRY_BUILDING = `lat=${FERRY_BUILDING.lat}&lng=${FERRY_BUILDING.lng}`;
const FROM_THE_FERRY_BUILDING = `start_lat=${FERRY_BUILDING.lat}&start_lng=${FERRY_BUILDING.lng}`;
export const ACROSS_TOWN = { origin: FERRY_BUILDING, destination: DOLORES_PARK, ride_type: 'svc' };

/** For each operation a way to a call that it accepts, the one that writes the most. */
export const ACCEPTED: Readonly<Record<OperationId, (server: TestServer) => Promise<AcceptedCall>>> = {
  authorizeApplication: async (server) => {
    const passenger = await newLivePassenger(server);
    const query = `client_id=${DEMO.clientId}&response_type=code`;
    // an answer in JSON, should it be refused; the passenger has just pressed Allow
    const headers = { Accept: 'application/json', Cookie: await decided(server, passenger, query, ['public']) };
    return { world: LIVE, passenger, headers, query, status: 302 };
  },
  createToken: async (server) => {
    const passenger = await newLivePassenger(server);
    const body = { grant_type: 'authorization_code', code: await newCode(server, passenger) };
    return { world: LIVE, passenger, headers: SANDBOX_CLIENT, body: JSON.stringify(body) };
  },
  revokeRefreshToken: async (server) => {
    const { passenger, refreshToken } = await newGrant(server);
    return { world: LIVE, passenger, headers: LIVE_CLIENT, body: JSON.stringify({ token: refreshToken }) };
  },
  listRideTypes: (server) => asApplication(server, AT_THE_FERRY_BUILDING),
  estimateEta: (server) => asApplication(server, AT_THE_FERRY_BUILDING),
  estimateCost: (server) => asApplication(server, FROM_THE_FERRY_BUILDING),
  listDrivers: (server) => asApplication(server, AT_THE_FERRY_BUILDING),
  listPickupEtas: (server) => asApplication(server, AT_THE_FERRY_BUILDING),
  listRides: async (server) => {
    const { world, passenger, token } = await ridingTo(server, 'droppedOff');
    return { world, passenger, token, query: 'start_time=2026-01-01T00:00:00Z' };
  },
  requestRide: async (server) => {
    // the ride before is still to be paid, and there is Prime Time to agree to
    const riding = await ridingTo(server, 'droppedOff');
    await server.advance(riding.world, UNTIL_RUSH_HOUR_MS);
    const body = { ...ACROSS_TOWN, cost_token: await costTokenOf(riding) };
    return { world: riding.world, passenger: riding.passenger, token: riding.token, body: JSON.stringify(body) };
  },
  getRide: async (server) => callAbout(await ridingTo(server, 'accepted')),
  updateDestination: async (server) => callAbout(await ridingTo(server, 'accepted'), MISSION_DOLORES),
  rateRide: async (server) =>
    callAbout(await ridingTo(server, 'droppedOff'), { rating: 5, tip: { amount: 300, currency: 'USD' } }),
  getReceipt: async (server) => {
    const riding = await ridingTo(server, 'pickedUp');
    const body = { cancel_confirmation_token: (await feeOf(riding)).token };
    await riding.api.cancelRide({ params: riding.params, body });
    return callAbout(riding);
  },
  cancelRide: async (server) => {
    const riding = await ridingTo(server, 'pickedUp');
    return callAbout(riding, { cancel_confirmation_token: (await feeOf(riding)).token });
  },
  getProfile: async (server) => {
    const world = await server.newWorld();
    const { passenger, token } = await server.newRider(world);
    return { world, passenger, token };
  },
  ...ACCEPTED_IN_SANDBOX,
};

/** A new passenger's ride across San Francisco, brought to a status. */
export async function ridingTo(
  server: TestServer,
  status: RideStatus,
  start?: Parameters<typeof startRiding>[1],
): Promise<Riding> {
  const riding = await startRiding(server, start);
  await advanceUntil(server, riding, status);
  return riding;
}

/** A passenger's call about their ride. */
export function callAbout({ world, passenger, token, rideId }: Riding, body?: object): AcceptedCall {
  const sent = body && { body: JSON.stringify(body) };
  return { world, passenger, token, path: { ride_id: rideId }, ...sent };
}

/** What agrees to the Prime Time of a ride across San Francisco, and fixes its price. */
export async function costTokenOf({ api }: Pick<Rider, 'api'>): Promise<string> {
  const { error } = await api.requestRide({ body: ACROSS_TOWN });
  if (error?.error !== 'primetime_confirmation_required') throw new Error('There is no Prime Time');
  return error.cost_token;
}

async function asApplication(server: TestServer, query: string): Promise<AcceptedCall> {
  const world = await server.newWorld();
  return { world, passenger: null, token: await server.newToken({ world }), query };
}
