import type { OperationId } from '../../../generated/server.ts';
import { parsed } from '../../support/parsed.ts';
import { saidIn } from '../values/said.ts';
import { type Ask, differs } from './ask.ts';
import type { Draft } from './attack.ts';
import type { Room } from './cast.ts';
import { FACTS } from './contract.ts';
import type { Answer, Sent } from './send.ts';

interface Done {
  readonly draft: Draft;
  readonly request: Sent;
  readonly answer: Answer;
  readonly room: Room;
  readonly ask: Ask;
}

// biome-ignore lint/suspicious/noExplicitAny: the schema check comes first
type Json = any;
type Aftermath = (done: Done & { readonly sent: Json; readonly told: Json }) => Promise<string[]>;

/** Reads the results of a successful operation through other operations. Returns the problems. */
export async function aftermathOf(done: Done): Promise<string[]> {
  const { draft, request, answer } = done;
  const look = AFTERMATHS[draft.operation];
  const { body } = draft;
  const sent = body && 'value' in body ? body.value : request.body && parsed(request.body.toString());
  const said = saidIn(sent ?? {}, FACTS[draft.operation].body?.schema ?? {});
  const problems = (await look?.({ ...done, sent: said, told: parsed(answer.text) })) ?? [];
  return problems.map((problem) => `after the call, ${problem}`);
}

/** Checks that every sent field is present. */
function has(what: string, found: Json, sent: object): string[] {
  return Object.entries(sent).flatMap(([name, value]) => differs(`${what}.${name}`, found?.[name], value));
}

/** A request can contain further fields of a place, which the server ignores. */
const placeIn = ({ lat, lng, address = null }: Json) => ({ lat, lng, address });

const rideOf = async ({ ask, room: { riding } }: Done): Promise<Json> =>
  (await ask('getRide', { token: riding.token, path: { ride_id: riding.rideId } })).body;

const worldOf = ({ ask, room }: Done) => ask('getWorld', { token: room.clientToken });
const clockOf = ({ ask, room }: Done) => ask('getClock', { token: room.clientToken });

const AFTERMATHS: { readonly [Id in OperationId]?: Aftermath } = {
  requestRide: async ({ ask, sent, told, room: { riding } }) => {
    const one = { token: riding.token, path: { ride_id: told.ride_id } };
    const { body: ride } = await ask('getRide', one);
    const places = { origin: placeIn(sent.origin), destination: sent.destination && placeIn(sent.destination) };
    await ask('setRideStatus', { ...one, body: { status: 'canceled' } });
    return has('ride', ride, { status: 'pending', ride_type: sent.ride_type, ...places });
  },
  updateDestination: async (done) => {
    const { destination } = await rideOf(done);
    return has('destination', destination, placeIn(done.sent));
  },
  rateRide: async (done) => {
    const { rating, feedback } = done.sent;
    return has('ride', await rideOf(done), { rating, feedback });
  },
  cancelRide: async (done) => has('ride', await rideOf(done), { status: 'canceled', canceled_by: 'passenger' }),
  setRideStatus: async (done) => {
    const { told, sent } = done;
    const ride = await rideOf(done);
    return [ride, told].flatMap(({ status }) => differs('status', status, sent.status));
  },
  setPrimeTime: async ({ ask, sent, room: { riding } }) => {
    const { lat, lng, primetime_percentage: percentage } = sent;
    const { body } = await ask('estimateCost', { token: riding.token, query: { start_lat: lat, start_lng: lng } });
    // estimateCost refuses a city without ride types
    return (body.cost_estimates ?? []).flatMap((one: Json) =>
      differs('primetime_percentage', one.primetime_percentage, percentage),
    );
  },
  setRideTypes: async ({ ask, sent, told, room }) => {
    const { lat, lng, ride_types: kept } = sent;
    const { body } = await ask('listRideTypes', { token: room.clientToken, query: { lat, lng } });
    const removed = (body.ride_types ?? []).filter(({ ride_type }: Json) => !kept.includes(ride_type));
    return [
      ...differs('the list of removed ride types that are still offered', removed, []),
      ...differs('the response', told, sent),
    ];
  },
  setDriverAvailability: async ({ ask, sent, request, room }) => {
    const { lat, lng, driver_availability: isAvailable } = sent;
    const rideType = decodeURIComponent(request.target.split('/').at(-1)!);
    const { body } = await ask('listPickupEtas', { token: room.clientToken, query: { lat, lng, ride_type: rideType } });
    const drivers = body?.nearby_drivers_pickup_etas ?? [];
    return isAvailable || drivers.length === 0 ? [] : ['drivers are still available'];
  },
  createWorld: async ({ ask, sent, told: { world, token } }) => {
    const { status, body } = await ask('getWorld', { token: token.access_token });
    const { clock = {}, ...settings } = sent;
    const problems = [...differs('the status of getWorld', status, 200), ...has('world', body, settings)];
    if (clock.state) problems.push(...differs('clock.state', body.clock.state, clock.state));
    if (clock.now) problems.push(...differs('clock.now', Date.parse(body.clock.now), instantOf(clock.now)));
    problems.push(...differs('world_id', body.world_id, world.world_id));
    await ask('deleteWorld', { token: token.access_token });
    const after = await ask('getWorld', { token: token.access_token });
    return [...problems, ...differs('the status of getWorld for a deleted world', after.status, 401)];
  },
  updateWorld: async (done) => has('world', (await worldOf(done)).body, done.sent),
  deleteWorld: async (done) => {
    const { token, rideId } = done.room.riding;
    const ofPassenger = await done.ask('getRide', { token, path: { ride_id: rideId } });
    const { status } = await worldOf(done);
    return [
      ...differs('the status of getWorld', status, 401),
      ...differs('the status of getRide', ofPassenger.status, 401),
    ];
  },
  resetWorld: async (done) => {
    const { ask, room } = done;
    const { status } = await worldOf(done);
    const { body } = await ask('listEvents', { token: room.clientToken });
    const { status: ofPassenger } = await ask('getProfile', { token: room.riding.token });
    return [
      ...differs('the status of getWorld', status, 200),
      ...differs('the list of events', body.events, []),
      ...differs('the status of getProfile for a removed passenger', ofPassenger, 401),
    ];
  },
  createPassenger: async ({ ask, sent, told: { passenger, token } }) => {
    const { email, scopes, expires_in: _, ...traits } = sent;
    const problems = has('passenger', passenger, { ...traits, ...(email && { email: email.toLowerCase() }) });
    const may = (scope: string) => (scopes ?? ['profile', 'rides.request']).includes(scope);
    const profile = await ask('getProfile', { token: token.access_token });
    problems.push(...differs('the status of getProfile', profile.status, may('profile') ? 200 : 401));
    const trip = { origin: { lat: 37.7955, lng: -122.3937 }, ride_type: 'svc' };
    const { status, body } = await ask('requestRide', { token: token.access_token, body: trip });
    const isKept = ['payment_method', 'phone_number'].some((name) => traits[name] === null);
    const isBarred = isKept || traits.account_disabled || traits.driver_mode || traits.phone_verified === false;
    const due = may('rides.request') ? (isBarred ? 403 : 201) : 401;
    const isQuiet = due === 201 && body?.error === 'no_drivers_available';
    return isQuiet ? problems : [...problems, ...differs('the status of requestRide', status, due)];
  },
  updatePassenger: async ({ sent, told }) => has('passenger', told, sent),
  setClock: async (done) => has('clock', (await clockOf(done)).body, done.sent),
  advanceClock: async (done) => {
    const { steps: _, ...clock } = done.told;
    return has('clock', (await clockOf(done)).body, clock);
  },
  setWebhooks: async ({ sent, told }) => has('webhooks', told, sent),
  createToken: async ({ ask, told: { access_token: token, scope } }) => {
    const known = scope.split(' ').includes('public');
    const { status } = await ask('listRideTypes', { token, query: { lat: 37.7955, lng: -122.3937 } });
    return differs('the status of listRideTypes', status, known ? 200 : 401);
  },
};

/** Parses an instant. Drops further digits, because clocks count milliseconds. */
function instantOf(sent: string): number {
  return Date.parse(sent.replace(/(\.\d{3})\d+/, '$1'));
}
