import type { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '../../client/client.ts';
import type { Operations } from '../../generated/client.ts';
import type { Ride } from '../../generated/types.ts';
import { draw, draws, pick } from '../../server/domain/chance.ts';
import { SECOND_MS } from '../../server/domain/time.ts';
import { demoToken } from '../../tests/support/demo-caller.ts';
import type { MortalServer } from './mortal-server.ts';
import { type Told, toldBy } from './told.ts';

const POLL_MS = 150;
/** How long a call may take on a machine that is busy; the server may be killed under it at any moment. */
const LONGEST_CALL_MS = 20 * SECOND_MS;
/** A part of San Francisco that is served everywhere. */
const SOUTH_WEST = { lat: 37.765, lng: -122.435 };
const EXTENT_DEGREES = { lat: 0.028, lng: 0.03 };

/** What becomes of a ride: where its passenger cancels it, if at all, and whether they rate it. */
const PLANS = [
  { cancelWhen: 'pending', rates: false },
  { cancelWhen: 'accepted', rates: false },
  { cancelWhen: 'arrived', rates: false },
  { cancelWhen: 'pickedUp', rates: false },
  { cancelWhen: null, rates: true },
  { cancelWhen: null, rates: true },
  { cancelWhen: null, rates: false },
] as const;

/** A demo passenger who takes one ride after another, whatever happens to the server. */
export interface Passenger {
  /** What each ride that they know was seen to tell. */
  readonly shown: ReadonlyMap<string, ReadonlySet<Told>>;
  /** Cancels what has not ended; resolves when nothing more will happen to their rides, and all were looked at once more. */
  finish(): Promise<void>;
}

export interface PassengerOptions {
  readonly email: string;
  readonly seed: string;
  readonly server: MortalServer;
  /** Gets `call` with each call that changes something. */
  readonly happenings: EventEmitter;
}

export async function startPassenger({ email, seed, server, happenings }: PassengerOptions): Promise<Passenger> {
  const token = await demoToken(server.baseUrl(), email);
  const shown = new Map<string, Set<Told>>();
  let isFinishing = false;

  /** The answer to a call; undefined when the server died under it or could not do its work. */
  async function ask<A extends { response: Response }>(call: (api: Operations) => Promise<A>): Promise<A | undefined> {
    const fetchInTime = (request: Request) => fetch(request, { signal: AbortSignal.timeout(LONGEST_CALL_MS) });
    const answer = await call(createClient({ baseUrl: server.baseUrl(), token, fetch: fetchInTime })).catch(() => {});
    if (answer && answer.response.status < 500) return answer;
    await pause(POLL_MS);
    return undefined;
  }

  function change<A extends { response: Response }>(call: (api: Operations) => Promise<A>): Promise<A | undefined> {
    happenings.emit('call');
    return ask(call);
  }

  async function read(rideId: string): Promise<Ride> {
    for (;;) {
      const answer = await ask((api) => api.getRide({ params: { path: { ride_id: rideId } } }));
      const ride = answer?.data;
      if (answer && !ride) throw new Error(`The ride ${rideId} cannot be read: ${JSON.stringify(answer.error)}`);
      if (!ride) continue;
      const told = shown.get(rideId) ?? new Set();
      shown.set(rideId, told);
      for (const one of toldBy(ride)) told.add(one);
      return ride;
    }
  }

  /** @returns its id; null when there is to be no ride any more */
  async function request(key: string): Promise<string | null> {
    for (let attempt = 1; ; attempt++) {
      const [origin, destination] = [placeAt(seed, key, attempt, 'from'), placeAt(seed, key, attempt, 'to')];
      const body = { origin, destination, ride_type: 'svc' };
      const first = await change((api) => api.requestRide({ body }));
      const offer = first?.error?.error === 'primetime_confirmation_required' ? first.error.cost_token : undefined;
      const last = offer ? await change((api) => api.requestRide({ body: { ...body, cost_token: offer } })) : first;
      if (last?.data) return last.data.ride_id;
      // without an answer there may be a ride, and it is to be over in the end
      const isRiding = last === undefined || last.error?.error === 'user_already_in_ride';
      if (isFinishing && !isRiding) return null;
      await pause(POLL_MS);
    }
  }

  async function cancel(rideId: string): Promise<void> {
    const params = { path: { ride_id: rideId } };
    const first = await change((api) => api.cancelRide({ params }));
    if (first?.error?.error !== 'cancel_confirmation_required') return;
    const body = { cancel_confirmation_token: first.error.token };
    await change((api) => api.cancelRide({ params, body }));
  }

  async function rate(rideId: string, stars: number): Promise<void> {
    const call = (api: Operations) => api.rateRide({ params: { path: { ride_id: rideId } }, body: { rating: stars } });
    while ((await change(call)) === undefined);
    while (!toldBy(await read(rideId)).includes('receipt')) await pause(POLL_MS);
  }

  async function ride(key: string): Promise<void> {
    const rideId = await request(key);
    if (rideId === null) return;
    const plan = pick(PLANS, draw(seed, key, 'plan'));
    for (;;) {
      const { status } = await read(rideId);
      if (status === 'droppedOff' && plan.rates) return rate(rideId, 1 + Math.floor(5 * draw(seed, key, 'stars')));
      if (status === 'droppedOff' || status === 'canceled' || status === 'unknown') return;
      if (isFinishing || status === plan.cancelWhen) await cancel(rideId);
      else await pause(POLL_MS);
    }
  }

  async function rideOn(): Promise<void> {
    for (let count = 1; !isFinishing; count++) await ride(`${email} ${count}`);
    for (const rideId of shown.keys()) await read(rideId);
  }

  const riding = rideOn();
  // it is told to who waits for the end
  riding.catch(() => {});
  return {
    shown,
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
