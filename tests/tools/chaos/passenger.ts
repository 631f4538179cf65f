import { setTimeout as pause } from 'node:timers/promises';
import type { Operations } from '../../../client/client.ts';
import type { Ride } from '../../../generated/types.ts';
import { draw, draws, pick } from '../../../server/domain/chance.ts';
import type { Scene } from './run.ts';
import { type Told, toldBy } from './told.ts';

const POLL_MS = 400;
const AGAIN_AFTER_MS = 150;
const MOST_STARS = 5;
/** A part of San Francisco where every place has service. */
const SOUTH_WEST = { lat: 37.765, lng: -122.435 };
const EXTENT_DEGREES = { lat: 0.028, lng: 0.03 };

/** How a ride ends: the status in which its passenger cancels, if any, and whether they rate it. */
const PLANS = [
  ...(['pending', 'accepted', 'arrived', 'pickedUp'] as const).map((cancelWhen) => ({ cancelWhen, rates: false })),
  ...[true, true, false].map((rates) => ({ cancelWhen: null, rates })),
];

/** A change that a response confirmed. */
export interface Confirmed {
  readonly rideId: string;
  readonly change: 'requested' | 'canceled' | 'rated';
}

export type Passenger = ReturnType<typeof startPassenger>;

export interface PassengerOptions extends Pick<Scene, 'seed' | 'happenings'> {
  readonly name: string;
  /** Calls as this passenger. The server may be killed at any time. */
  readonly api: Operations;
  /** Once it is aborted, calls throw. */
  readonly over: AbortSignal;
}

/** Starts a passenger who takes one ride after another, even while the server is down. */
export function startPassenger({ name, seed, api, happenings, over }: PassengerOptions) {
  const shown = new Map<string, ReadonlySet<Told>>();
  const confirmed: Confirmed[] = [];
  let isFinishing = false;

  /** Returns undefined if there is no response, or a 5XX. */
  const ask = async <Answer extends { readonly response: Response }>(call: () => Promise<Answer>) => {
    over.throwIfAborted();
    const answer = await call().catch(() => {});
    if (answer && answer.response.status < 500) return answer;
    await pause(AGAIN_AFTER_MS);
    return undefined;
  };
  /** For calls that change something. */
  const change: typeof ask = (call) => {
    happenings.emit('call');
    return ask(call);
  };

  /** @returns the ride's id; null if the run ends before there is a ride */
  const request = async (key: string): Promise<string | null> => {
    for (let attempt = 1; ; attempt++) {
      const origin = placeAt(seed, key, attempt, 'from');
      const body = { origin, destination: placeAt(seed, key, attempt, 'to'), ride_type: 'svc' };
      const first = await change(() => api.requestRide({ body }));
      const offer = first?.error?.error === 'primetime_confirmation_required' ? first.error.cost_token : undefined;
      const last = offer ? await change(() => api.requestRide({ body: { ...body, cost_token: offer } })) : first;
      if (last?.data) {
        confirmed.push({ rideId: last.data.ride_id, change: 'requested' });
        return last.data.ride_id;
      }
      // without a response, the ride may still exist, and it must end before the run does
      const isRiding = last === undefined || last.error?.error === 'user_already_in_ride';
      if (isFinishing && !isRiding) return null;
      await pause(POLL_MS);
    }
  };
  const read = async (rideId: string): Promise<Ride> => {
    for (;;) {
      const answer = await ask(() => api.getRide({ params: { path: { ride_id: rideId } } }));
      if (answer?.error) throw new Error(`getRide fails for the ride ${rideId}: ${JSON.stringify(answer.error)}`);
      if (!answer?.data) continue;
      shown.set(rideId, new Set([...(shown.get(rideId) ?? []), ...toldBy(answer.data)]));
      return answer.data;
    }
  };
  const cancel = async (rideId: string) => {
    const params = { path: { ride_id: rideId } };
    const first = await change(() => api.cancelRide({ params }));
    const offer = first?.error?.error === 'cancel_confirmation_required' ? first.error.token : undefined;
    const body = { cancel_confirmation_token: offer };
    const last = offer ? await change(() => api.cancelRide({ params, body })) : first;
    if (last?.response.ok) confirmed.push({ rideId, change: 'canceled' });
  };
  /** Rates a ride and waits for its receipt. */
  const rate = async (rideId: string, rating: number) => {
    const send = () => change(() => api.rateRide({ params: { path: { ride_id: rideId } }, body: { rating } }));
    let answer = await send();
    while (answer === undefined) answer = await send();
    if (answer.response.ok) confirmed.push({ rideId, change: 'rated' });
    while (!toldBy(await read(rideId)).includes('receipt')) await pause(POLL_MS);
  };
  const ride = async (key: string) => {
    const rideId = await request(key);
    if (rideId === null) return;
    const plan = pick(PLANS, draw(seed, key, 'plan'));
    for (;;) {
      const { status } = await read(rideId);
      if (status === 'droppedOff' && plan.rates)
        return rate(rideId, 1 + Math.floor(MOST_STARS * draw(seed, key, 'stars')));
      if (status === 'droppedOff' || status === 'canceled' || status === 'unknown') return;
      if (isFinishing || status === plan.cancelWhen) await cancel(rideId);
      else await pause(POLL_MS);
    }
  };
  const rideOn = async () => {
    for (let count = 1; !isFinishing; count++) await ride(`${name} ${count}`);
    for (const rideId of shown.keys()) await read(rideId);
  };
  const riding = rideOn();
  // finish() reports the error; without this line, Node would exit first
  riding.catch(() => {});
  return {
    /** For each of their rides, the events that its responses imply. */
    shown,
    confirmed,
    /**
     * Cancels rides in progress. Resolves when all rides have ended and the passenger has read each of them once more.
     */
    finish: () => {
      isFinishing = true;
      return riding;
    },
  };
}

function placeAt(seed: string, ...key: ReadonlyArray<string | number>) {
  const [north = 0, east = 0] = draws(2, seed, ...key);
  return { lat: SOUTH_WEST.lat + EXTENT_DEGREES.lat * north, lng: SOUTH_WEST.lng + EXTENT_DEGREES.lng * east };
}
