import { setTimeout as pause } from 'node:timers/promises';
import { DEMO } from '../../../server/demo.ts';
import { draw, pick } from '../../../server/domain/chance.ts';
import { SECOND_MS } from '../../../server/domain/time.ts';
import { basic } from '../../support/demo-caller.ts';
import { FERRY_BUILDING } from '../../support/places.ts';
import { dataOf } from './balancer.ts';
import type { Fleet } from './fleet.ts';
import type { Scene } from './run.ts';
import type { ChaosWorld } from './worlds.ts';

/** The longest time until every instance must have seen a change. */
const SEEN_WITHIN_MS = SECOND_MS;
const LOOK_AGAIN_MS = 50;
/** How long to call an instance that does not respond. It may have been killed. */
const GIVE_UP_MS = 3 * SECOND_MS;
const PAUSE_MS = SECOND_MS;
const ADVANCE_S = 7;

const CHANGES = ['token', 'clock', 'settings'] as const;
type Change = (typeof CHANGES)[number];

/** Whether an instance saw a change that another one made. */
export interface Sighting {
  readonly change: Change;
  readonly instance: number;
  /** Milliseconds from the response to the change until the first call that saw it; null: not in time. */
  readonly afterMs: number | null;
}

interface Watch extends Pick<Scene, 'seed' | 'balancer'> {
  readonly fleet: Fleet;
  /** A sandbox in which no one else changes anything. */
  readonly world: ChaosWorld;
}

/** Whether an instance shows the change. Throws without a response. */
type IsSeen = (instance: number) => Promise<boolean>;

/** Makes changes on one instance and looks for them on the others, until the signal aborts. */
export async function watchChanges(watch: Watch, over: AbortSignal): Promise<Sighting[]> {
  const { seed, fleet } = watch;
  const sightings: Sighting[] = [];
  for (let count = 0; !over.aborted; count++) {
    const change = CHANGES[count % CHANGES.length]!;
    const sound = fleet.sound();
    // the instance may have been killed
    const isSeen = await MAKE[change](watch, pick(sound, draw(seed, 'changer', count)), count).catch(() => null);
    if (isSeen !== null) {
      const changedAt = Date.now();
      const looks = sound.map(async (instance) => {
        const afterMs = await timeUntil(isSeen, instance, changedAt, fleet);
        return afterMs === undefined ? [] : [{ change, instance, afterMs }];
      });
      sightings.push(...(await Promise.all(looks)).flat());
    }
    await pause(PAUSE_MS, undefined, { signal: over }).catch(() => {});
  }
  return sightings;
}

/** @returns null if the change was not seen in time, undefined if the instance did not respond after the time limit */
async function timeUntil(isSeen: IsSeen, instance: number, changedAt: number, fleet: Fleet) {
  for (let afterMs = 0; afterMs <= GIVE_UP_MS; afterMs = Date.now() - changedAt) {
    const seen = fleet.sound().includes(instance) ? await isSeen(instance).catch(() => null) : null;
    if (seen) return afterMs;
    if (seen === false && afterMs > SEEN_WITHIN_MS) return null;
    await pause(LOOK_AGAIN_MS);
  }
  return undefined;
}

const HERE = { params: { query: { lat: FERRY_BUILDING.lat, lng: FERRY_BUILDING.lng } } };

/** Makes each change. tests/store/bearer-cache.test.ts tries every change that a cached token must show. */
const MAKE: Readonly<Record<Change, (watch: Watch, by: number, count: number) => Promise<IsSeen>>> = {
  token: async ({ balancer, fleet }, by) => {
    const headers = basic(DEMO.clientId, DEMO.clientSecret);
    const grant = await balancer.client().createToken({ body: { grant_type: 'client_credentials' }, headers });
    const { access_token: token } = dataOf(grant);
    const use = (instance: number) => balancer.client(token, instance).listRideTypes(HERE);
    // so that it is in every cache
    await Promise.all(fleet.sound().map(use));
    const { response } = await balancer.client(undefined, by).revokeToken({ body: { token }, headers });
    if (!response.ok) throw new Error(`revokeToken returned ${response.status}.`);
    return async (instance) => {
      const { response, error } = await use(instance);
      if (response.status >= 500) throw new Error(`listRideTypes returned ${response.status}.`);
      return error?.error === 'invalid_token';
    };
  },
  clock: async ({ balancer, world: { token } }, by) => {
    const changed = dataOf(await balancer.client(token, by).advanceClock({ body: { seconds: ADVANCE_S } }));
    return async (instance) => dataOf(await balancer.client(token, instance).getClock()).now === changed.now;
  },
  settings: async ({ balancer, world: { token } }, by, count) => {
    const limits = count % (2 * CHANGES.length) < CHANGES.length;
    dataOf(await balancer.client(token, by).updateWorld({ body: { limits } }));
    return async (instance) => dataOf(await balancer.client(token, instance).getWorld()).limits === limits;
  },
};
