import type { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Operations } from '../../../generated/client.ts';
import type { Ride } from '../../../generated/types.ts';
import { draw, draws, pick } from '../../../server/domain/chance.ts';
import { type Told, toldBy } from './told.ts';

const POLL_MS = 400;
const AGAIN_AFTER_MS = 150;
const MOST_STARS = 5;
/** A part of San Francisco where every place has service. */
const SOUTH_WEST = { lat: 37.765, lng: -122.435 };
const EXTENT_DEGREES = { lat: 0.028, lng: 0.03 };

/** How a ride ends: the status in which its passenger cancels, if any, and whether they rate it. */
const PLANS = [
  { cancelWhen: 'pending', rates: false },
  { cancelWhen: 'accepted', rates: false },
  { cancelWhen: 'arrived', rates: false },
  { cancelWhen: 'pickedUp', rates: false },
  { cancelWhen: null, rates: true },
  { cancelWhen: null, rates: true },
  { cancelWhen: null, rates: false },
] as const;

/** A change that a response confirmed. */
export interface Confirmed {
  readonly rideId: string;
  readonly change: 'requested' | 'canceled' | 'rated';
}

/** A passenger who takes one ride after another, even while the server is down. */
export interface Passenger {
  /** For each of their rides, the events that its responses imply. */
  readonly shown: ReadonlyMap<string, ReadonlySet<Told>>;
  readonly confirmed: readonly Confirmed[];
  /**
   * Cancels rides in progress. Resolves when all rides have ended and the passenger has read each of them once more.
   */
  finish(): Promise<void>;
}

export interface PassengerOptions {
  readonly name: string;
  readonly seed: string;
  /** Calls as this passenger. The server may be killed at any time. */
  readonly api: Operations;
  /** Emits `call` on each call that changes something. */
  readonly happenings: EventEmitter;
  /** Once it is aborted, calls throw. */
  readonly over: AbortSignal;
}

export function startPassenger({ name, seed, api, happenings, over }: PassengerOptions): Passenger {
  const ask: Ask = async (call) => {
    over.throwIfAborted();
    const answer = await call(api).catch(() => {});
    if (answer && answer.response.status < 500) return answer;
    await pause(AGAIN_AFTER_MS);
    return undefined;
  };
  const change: Ask = (call) => {
    happenings.emit('call');
    return ask(call);
  };
  const life: Life = { seed, ask, change, shown: new Map(), confirmed: [], isFinishing: false };
  const riding = rideOn(life, name);
  // finish() reports the error; without this line, Node would exit first
  riding.catch(() => {});
  return {
    shown: life.shown,
    confirmed: life.confirmed,
    finish: () => {
      life.isFinishing = true;
      return riding;
    },
  };
}

/** Returns undefined if there is no response, or a 5XX. */
type Ask = <Answer extends { readonly response: Response }>(
  call: (api: Operations) => Promise<Answer>,
) => Promise<Answer | undefined>;

interface Life {
  readonly seed: string;
  readonly ask: Ask;
  /** For calls that change something. */
  readonly change: Ask;
  readonly shown: Map<string, Set<Told>>;
  readonly confirmed: Confirmed[];
  isFinishing: boolean;
}

async function rideOn(life: Life, name: string): Promise<void> {
  for (let count = 1; !life.isFinishing; count++) await ride(life, `${name} ${count}`);
  for (const rideId of life.shown.keys()) await read(life, rideId);
}

async function ride(life: Life, key: string): Promise<void> {
  const rideId = await request(life, key);
  if (rideId === null) return;
  const plan = pick(PLANS, draw(life.seed, key, 'plan'));
  for (;;) {
    const { status } = await read(life, rideId);
    if (status === 'droppedOff' && plan.rates) {
      return rate(life, rideId, 1 + Math.floor(MOST_STARS * draw(life.seed, key, 'stars')));
    }
    if (status === 'droppedOff' || status === 'canceled' || status === 'unknown') return;
    if (life.isFinishing || status === plan.cancelWhen) await cancel(life, rideId);
    else await pause(POLL_MS);
  }
}

/** @returns the ride's id; null if the run ends before there is a ride */
async function request(life: Life, key: string): Promise<string | null> {
  for (let attempt = 1; ; attempt++) {
    const origin = placeAt(life.seed, key, attempt, 'from');
    const destination = placeAt(life.seed, key, attempt, 'to');
    const body = { origin, destination, ride_type: 'svc' };
    const first = await life.change((api) => api.requestRide({ body }));
    const offer = first?.error?.error === 'primetime_confirmation_required' ? first.error.cost_token : undefined;
    const confirmed = { ...body, cost_token: offer };
    const last = offer ? await life.change((api) => api.requestRide({ body: confirmed })) : first;
    if (last?.data) {
      life.confirmed.push({ rideId: last.data.ride_id, change: 'requested' });
      return last.data.ride_id;
    }
    // without a response, the ride may still exist, and it must end before the run does
    const isRiding = last === undefined || last.error?.error === 'user_already_in_ride';
    if (life.isFinishing && !isRiding) return null;
    await pause(POLL_MS);
  }
}

async function read({ ask, shown }: Life, rideId: string): Promise<Ride> {
  for (;;) {
    const answer = await ask((api) => api.getRide({ params: { path: { ride_id: rideId } } }));
    if (answer?.error) throw new Error(`getRide fails for the ride ${rideId}: ${JSON.stringify(answer.error)}`);
    if (!answer?.data) continue;
    shown.set(rideId, new Set([...(shown.get(rideId) ?? []), ...toldBy(answer.data)]));
    return answer.data;
  }
}

async function cancel({ change, confirmed }: Life, rideId: string): Promise<void> {
  const params = { path: { ride_id: rideId } };
  const first = await change((api) => api.cancelRide({ params }));
  const offer = first?.error?.error === 'cancel_confirmation_required' ? first.error.token : undefined;
  const body = { cancel_confirmation_token: offer };
  const last = offer ? await change((api) => api.cancelRide({ params, body })) : first;
  if (last?.response.ok) confirmed.push({ rideId, change: 'canceled' });
}

/** Rates a ride and waits for its receipt. */
async function rate(life: Life, rideId: string, rating: number): Promise<void> {
  const params = { path: { ride_id: rideId } };
  const send = () => life.change((api) => api.rateRide({ params, body: { rating } }));
  let answer = await send();
  while (answer === undefined) answer = await send();
  if (answer.response.ok) life.confirmed.push({ rideId, change: 'rated' });
  while (!toldBy(await read(life, rideId)).includes('receipt')) await pause(POLL_MS);
}

function placeAt(seed: string, ...key: ReadonlyArray<string | number>) {
  const [north = 0, east = 0] = draws(2, seed, ...key);
  return { lat: SOUTH_WEST.lat + EXTENT_DEGREES.lat * north, lng: SOUTH_WEST.lng + EXTENT_DEGREES.lng * east };
}
