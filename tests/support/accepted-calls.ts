import { DEMO } from '../../server/demo.ts';
import type { Passenger } from '../../server/domain/passenger.ts';
import type { World } from '../../server/domain/worlds/clock.ts';
import { decided, LIVE_CLIENT, newCode, newGrant, newLivePassenger, SANDBOX_CLIENT } from './oauth.ts';
import { DOLORES_PARK, FERRY_BUILDING } from './places.ts';
import type { RawCall } from './raw-call.ts';
import { LIVE, type Rider, type TestServer } from './server.ts';
import { ridingAt, type Stage } from './stages.ts';
import { cancelForItsFee, feeOf, type Riding } from './take-ride.ts';

/** A call that the server accepts once, exactly as it is. */
export interface AcceptedCall extends RawCall {
  readonly world: World;
  /** Null when an application calls for itself. */
  readonly passenger: Passenger | null;
  /** The expected status; by default the operation's success. */
  readonly status?: number;
}

/** Prepares a call that the operation accepts. */
export type Sample = (server: TestServer) => Promise<AcceptedCall>;

export const ACROSS_TOWN = { origin: FERRY_BUILDING, destination: DOLORES_PARK, ride_type: 'svc' };
/** A URL where no server listens. */
export const CLOSED_PORT_URL = 'http://127.0.0.1:65530/';

export const bodyOf = (value: object) => ({ body: JSON.stringify(value) });

/** A call of the demo application in a new sandbox. */
export function byApplication(sent: RawCall = {}): Sample {
  return async (server) => {
    const world = await server.newWorld();
    return { world, passenger: null, token: await server.newToken({ world }), ...sent };
  };
}

/** A call of a new passenger in a new sandbox. */
export function byPassenger(sent: RawCall = {}): Sample {
  return async (server) => {
    const world = await server.newWorld();
    const { passenger, token } = await server.newRider(world);
    return { world, passenger, token, ...sent };
  };
}

/** A passenger's call about a ride at this stage. */
export function aboutRide(stage: Stage, body?: object): Sample {
  return async (server) => callAbout(await ridingAt(server, stage), body);
}

/** A passenger's call about their ride. */
export function callAbout({ world, passenger, token, rideId }: Riding, body?: object): AcceptedCall {
  return { world, passenger, token, path: { ride_id: rideId }, ...(body && bodyOf(body)) };
}

/** The token that confirms Prime Time for a ride across San Francisco, and fixes its price. */
export async function costTokenOf({ api }: Pick<Rider, 'api'>): Promise<string> {
  const { error } = await api.requestRide({ body: ACROSS_TOWN });
  if (error?.error !== 'primetime_confirmation_required')
    throw new Error('requestRide did not ask to confirm Prime Time.');
  return error.cost_token;
}

/** A passenger just pressed Allow. */
export const consent: Sample = async (server) => {
  const passenger = await newLivePassenger(server);
  const query = `client_id=${DEMO.clientId}&response_type=code`;
  // if the request fails, the error is JSON instead of a page
  const headers = { Accept: 'application/json', Cookie: await decided(server, passenger, query, ['public']) };
  return { world: LIVE, passenger, headers, query, status: 302 };
};

export const codeExchange: Sample = async (server) => {
  const passenger = await newLivePassenger(server);
  const body = { grant_type: 'authorization_code', code: await newCode(server, passenger) };
  return { world: LIVE, passenger, headers: SANDBOX_CLIENT, ...bodyOf(body) };
};

export const revocation: Sample = async (server) => {
  const { passenger, refreshToken } = await newGrant(server);
  return { world: LIVE, passenger, headers: LIVE_CLIENT, ...bodyOf({ token: refreshToken }) };
};

/** The passenger confirms Prime Time. Their last ride is not paid yet. */
export const secondRequest: Sample = async (server) => {
  const riding = await ridingAt(server, 'droppedOff');
  const { world, passenger, token, api } = riding;
  await api.setPrimeTime({ body: { ...FERRY_BUILDING, primetime_percentage: '25%' } });
  return { world, passenger, token, ...bodyOf({ ...ACROSS_TOWN, cost_token: await costTokenOf(riding) }) };
};

/** The passenger is in the car, and confirms the fee. */
export const cancelForFee: Sample = async (server) => {
  const riding = await ridingAt(server, 'pickedUp');
  return callAbout(riding, { cancel_confirmation_token: (await feeOf(riding)).token });
};

export const receiptOfFee: Sample = async (server) => {
  const riding = await ridingAt(server, 'pickedUp');
  await cancelForItsFee(riding);
  return callAbout(riding);
};

/** A driver accepted a ride in the world, and no server receives its event. */
export const aboutEvent: Sample = async (server) => {
  const call = await byApplication()(server);
  const api = server.client({ token: call.token! });
  await api.setWebhooks({ body: { url: CLOSED_PORT_URL } });
  await ridingAt(server, 'accepted', { world: call.world });
  const { data } = await api.listEvents();
  return { ...call, path: { event_id: data!.events[0]!.event_id } };
};

/** All events of the world of `aboutEvent` are to be sent again. */
export const resend: Sample = async (server) => ({
  ...(await aboutEvent(server)),
  ...bodyOf({ since: '2020-01-01T00:00:00Z', failed_only: false }),
});

/** They are being sent again. */
export const aboutResend: Sample = async (server) => {
  const { body, ...call } = await resend(server);
  await server.client({ token: call.token! }).resendWebhookEvents({ body: { since: '2020-01-01T00:00:00Z' } });
  return call;
};
