import { describe, expect, test, vi } from 'vitest';
import { createClient } from '../../client/client.ts';
import type { Operations } from '../../generated/client.ts';
import type { Ride } from '../../generated/types.ts';
import { seedLiveWorld } from '../../server/demo.ts';
import type { Point } from '../../server/domain/geo.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../server/domain/time.ts';
import { LIVE_WORLD } from '../../server/domain/worlds/live.ts';
import { saveNewRide } from '../../server/rides/save.ts';
import { claimDueTimers } from '../../server/store/due-timers.ts';
import { insertPassengerIfAbsent } from '../../server/store/passengers.ts';
import { findRide } from '../../server/store/rides.ts';
import { holdWorld } from '../../server/store/worlds.ts';
import { passenger, ride } from '../store/samples.ts';
import { engines } from '../support/database.ts';
import { demoToken } from '../support/demo-caller.ts';
import { DOLORES_PARK, FERRY_BUILDING } from '../support/places.ts';
import { newHome } from './support.ts';

/** The speed of a development server: a minute of driving takes a second. */
const SPEED = 60;
const POLL_MS = 300;
const MOST_TRIES = 5;
/** A time limit for a ride that hangs. */
const LONGEST_MS = 5 * MINUTE_MS;

type Status = Ride['status'];

describe.each(engines)('on %s', (engine) => {
  test('a ride takes less than a minute at development speed, and continues after kills while it is pending and driving', async () => {
    const { start } = await newHome(engine);
    let server = await start();
    const token = await demoToken(server.baseUrl);
    const api = () => createClient({ baseUrl: server.baseUrl, token });

    const polls = await unlessCanceled(async () => {
      const rideId = await request(api(), DOLORES_PARK);
      await server.end('SIGKILL');
      server = await start();
      // on a slow machine the ride may be over before the server starts
      const before = await pollUntil(api(), rideId, 'pickedUp');
      await server.end('SIGKILL');
      server = await start();
      return [...before, ...(await pollUntil(api(), rideId, 'droppedOff'))];
    });
    const last = droppedOff(polls);
    // the ride's own times, because the duration of the test depends on the load of the machine
    expect(Date.parse(last.dropoff.time) - Date.parse(last.requested_at)).toBeLessThan(MINUTE_MS);
    const seen = [...new Set(polls.map(({ status }) => status))];
    // a poll may miss any status; getRide.test.ts checks each on a frozen clock
    const order = ['pending', 'accepted', 'arrived', 'pickedUp', 'droppedOff'] as const;
    expect(seen).toEqual(order.filter((status) => seen.includes(status)));
    const tookMs = Date.parse(last.dropoff.time) - Date.parse(last.pickup.time);
    // the restarts do not delay the ride; durations are rounded to a second of driving
    expect(Math.abs((tookMs * SPEED) / SECOND_MS - last.duration_seconds)).toBeLessThanOrEqual(1);
  });
});

test('a ride whose step was interrupted by a kill continues as soon as the next server starts', async () => {
  const { start, withStore } = await newHome();
  const realNow = Date.now();
  const forgotten = ride({ status: 'accepted', lastEventAt: realNow - DAY_MS });
  await withStore(async (store) => {
    await seedLiveWorld(store, realNow);
    await insertPassengerIfAbsent(store.db, passenger());
    await store.transaction(async (tx) =>
      saveNewRide({ simulationSpeed: SPEED }, tx, await holdWorld(tx, LIVE_WORLD), forgotten, { at: realNow }),
    );
    expect(await claimDueTimers(store.db, { worldId: 'live', realNow, leaseMs: DAY_MS, limit: 9 })).toHaveLength(1);
  });
  const next = await start();
  await next.end('SIGTERM');
  expect(await withStore((store) => findRide(store.db, 'live', forgotten.id))).toMatchObject({ status: 'unknown' });
});

/** Requests a ride from the Ferry Building, with or without Prime Time. @returns its id */
async function request(api: Operations, destination: Point): Promise<string> {
  const body = { origin: FERRY_BUILDING, destination, ride_type: 'svc' };
  const first = await api.requestRide({ body });
  const requested =
    first.error?.error === 'primetime_confirmation_required'
      ? await api.requestRide({ body: { ...body, cost_token: first.error.cost_token } })
      : first;
  if (requested.data === undefined) throw new Error(`requestRide failed: ${JSON.stringify(requested.error)}`);
  return requested.data.ride_id;
}

/** Reads a ride until it has a status or has ended. Throws Canceled. @returns every response */
async function pollUntil(api: Operations, rideId: string, status: Status): Promise<Ride[]> {
  const polls: Ride[] = [];
  await vi.waitFor(
    async () => {
      const { data, error } = await api.getRide({ params: { path: { ride_id: rideId } } });
      if (data === undefined) throw new Error(`getRide failed: ${JSON.stringify(error)}`);
      polls.push(data);
      expect([status, 'droppedOff', 'canceled']).toContain(data.status);
    },
    { interval: POLL_MS, timeout: LONGEST_MS },
  );
  if (polls.at(-1)!.status === 'canceled') throw new Canceled();
  return polls;
}

/** The last response. Throws unless the ride ended in a drop-off. */
function droppedOff(polls: readonly Ride[]) {
  const last = polls.at(-1);
  if (last?.status !== 'droppedOff') throw new Error(`The ride is ${last?.status}`);
  return last;
}

/** Two in a hundred drivers cancel a live ride. In that case, the passenger requests another one. */
async function unlessCanceled<T>(takeRide: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await takeRide();
    } catch (error) {
      if (!(error instanceof Canceled) || tries === MOST_TRIES) throw error;
    }
  }
}

class Canceled extends Error {}
