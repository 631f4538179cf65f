import type { OperationId } from '../../../generated/server.ts';
import type { Schema } from '../../../scripts/contract/bundle.ts';
import { parsed } from '../../support/parsed.ts';
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
/** What the server shows after a call, and what of it must be as sent. */
type Aftermath = (done: Done & { readonly sent: Json; readonly told: Json }) => Promise<[shown: Json, due: Json]>;

/** Looks for what a successful call has sent. Returns the problems. */
export async function aftermathOf(done: Done): Promise<string[]> {
  const { draft, request, answer } = done;
  const look = AFTERMATHS[draft.operation];
  if (!look) return [];
  const { body } = draft;
  const raw = body && 'value' in body ? body.value : request.body && parsed(request.body.toString());
  const sent = saidIn(raw ?? {}, FACTS[draft.operation].body?.schema ?? {});
  const [shown, due] = await look({ ...done, sent, told: parsed(answer.text) });
  return Object.entries(due).flatMap(([name, value]) => differs(`after the call, ${name}`, shown?.[name], value));
}

/** A body without the fields that mean the same as leaving them out. */
function saidIn(value: unknown, { properties = {}, required = [] }: Schema): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const said = Object.entries(value).flatMap(([name, inner]) => {
    const field = properties[name] ?? {};
    const absent: readonly unknown[] = field['x-absent'] ?? (required.includes(name) ? [] : [null]);
    return absent.includes(inner) ? [] : [[name, saidIn(inner, field)]];
  });
  return Object.fromEntries(said);
}

/** A request can contain further fields of a place, which the server ignores. */
const placeIn = ({ lat, lng, address = null }: Json) => ({ lat, lng, address });

const rideOf = async ({ ask, room: { riding } }: Done): Promise<Json> =>
  (await ask('getRide', { token: riding.token, path: { ride_id: riding.rideId } })).body;

const seenBy = async (operation: OperationId, { ask, room }: Done): Promise<Json> =>
  (await ask(operation, { token: room.clientToken })).body;

const AFTERMATHS: { readonly [Id in OperationId]?: Aftermath } = {
  requestRide: async ({ ask, sent, told, room: { riding } }) => {
    const one = { token: riding.token, path: { ride_id: told.ride_id } };
    const { body: ride } = await ask('getRide', one);
    const places = { origin: placeIn(sent.origin), destination: sent.destination && placeIn(sent.destination) };
    await ask('setRideStatus', { ...one, body: { status: 'canceled' } });
    return [ride, { status: 'pending', ride_type: sent.ride_type, ...places }];
  },
  updateDestination: async (done) => [(await rideOf(done)).destination, placeIn(done.sent)],
  rateRide: async (done) => [await rideOf(done), { rating: done.sent.rating, feedback: done.sent.feedback }],
  cancelRide: async (done) => [await rideOf(done), { status: 'canceled', canceled_by: 'passenger' }],
  setRideStatus: async (done) => [await rideOf(done), { status: done.sent.status }],
  createWorld: async ({ ask, sent: { clock: _, ...settings }, told: { token } }) => {
    const { body } = await ask('getWorld', { token: token.access_token });
    await ask('deleteWorld', { token: token.access_token });
    return [body, settings];
  },
  updateWorld: async (done) => [await seenBy('getWorld', done), done.sent],
  setClock: async (done) => [await seenBy('getClock', done), done.sent],
  createPassenger: async ({ sent: { email, scopes, expires_in, ...traits }, told }) => [told.passenger, traits],
  updatePassenger: async ({ sent, told }) => [told, sent],
  setWebhooks: async ({ sent, told }) => [told, sent],
  setRideTypes: async ({ sent, told }) => [told, sent],
};
