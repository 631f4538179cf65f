import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Operations } from '../../../generated/client.ts';
import type { By } from '../../../server/applications/by.ts';
import { deleteApplication } from '../../../server/applications/change.ts';
import { createApplication, newClientId } from '../../../server/applications/create.ts';
import { DEMO, DEMO_DEVELOPER } from '../../../server/demo.ts';
import { draw, pick } from '../../../server/domain/chance.ts';
import { SECOND_MS } from '../../../server/domain/time.ts';
import type { Store } from '../../../server/store/engine/open.ts';
import { basic } from '../../support/demo-caller.ts';
import { FERRY_BUILDING } from '../../support/places.ts';
import { dataOf } from './balancer.ts';
import { withStore } from './evidence.ts';
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

export const CHANGES = ['token', 'application', 'clock', 'settings'] as const;
export type Change = (typeof CHANGES)[number];

/** Whether an instance saw a change that another one made. */
export interface Sighting {
  readonly change: Change;
  readonly instance: number;
  /** Milliseconds from the response to the change until the first call that saw it; null: not in time. */
  readonly afterMs: number | null;
}

interface Parts extends Pick<Scene, 'seed' | 'balancer'> {
  readonly databaseUrl: string;
  readonly fleet: Fleet;
  /** A sandbox in which no one else changes anything. */
  readonly world: ChaosWorld;
}

interface Watch extends Parts {
  /** Creates and deletes applications, like the operator commands. */
  readonly store: Store;
}

/** Makes changes on one instance and looks for them on the others, until the signal aborts. */
export function watchChanges(parts: Parts, over: AbortSignal): Promise<Sighting[]> {
  return withStore(parts.databaseUrl, async (store) => {
    const sightings: Sighting[] = [];
    for (let count = 0; !over.aborted; count++) {
      const change = CHANGES[count % CHANGES.length]!;
      const sound = parts.fleet.sound();
      const by = pick(sound, draw(parts.seed, 'changer', count));
      // the instance may have been killed
      const isSeen = await MAKE[change]({ ...parts, store }, by, count).catch(() => null);
      if (isSeen !== null) {
        const changedAt = Date.now();
        const seen = await Promise.all(sound.map((instance) => look(parts.fleet, change, instance, isSeen, changedAt)));
        sightings.push(...seen.flatMap((one) => one ?? []));
      }
      await pause(PAUSE_MS, undefined, { signal: over }).catch(() => {});
    }
    return sightings;
  });
}

/** Whether an instance shows the change. Throws without a response. */
type IsSeen = (instance: number) => Promise<boolean>;

/** @returns null if the instance did not respond after the time limit */
async function look(
  fleet: Fleet,
  change: Change,
  instance: number,
  isSeen: IsSeen,
  changedAt: number,
): Promise<Sighting | null> {
  for (;;) {
    const afterMs = Date.now() - changedAt;
    if (afterMs > GIVE_UP_MS) return null;
    const seen = fleet.sound().includes(instance) ? await isSeen(instance).catch(() => null) : null;
    if (seen) return { change, instance, afterMs };
    if (seen === false && afterMs > SEEN_WITHIN_MS) return { change, instance, afterMs: null };
    await pause(LOOK_AGAIN_MS);
  }
}

/** Makes each change. First, every instance uses the thing that will change, so that it is in every cache. */
const MAKE: Readonly<Record<Change, (watch: Watch, by: number, count: number) => Promise<IsSeen>>> = {
  token: async (parts, by) => {
    const token = await tokenOf(parts, DEMO.clientId, DEMO.clientSecret);
    const isRefused = refusalOf(parts, token);
    await useEverywhere(parts, token);
    const { response } = await parts.balancer
      .client(undefined, by)
      .revokeToken({ body: { token }, headers: basic(DEMO.clientId, DEMO.clientSecret) });
    if (!response.ok) throw new Error(`revokeToken returned ${response.status}.`);
    return isRefused;
  },
  application: async (parts, _, count) => {
    const { store } = parts;
    const id = newClientId(randomBytes);
    const by: By = { developerId: null, network: null, realNow: Date.now(), audit: () => {} };
    const created = await createApplication(
      { store, randomBytes, webhookTargets: { allowPrivate: true, requireHttps: false } },
      by,
      {
        ...{ id, developerId: DEMO_DEVELOPER.id, name: `Application ${count}` },
        ...{ redirectUris: ['https://app.example/callback'], webhookUrl: null, sandboxWebhookUrl: null },
      },
    );
    const token = await tokenOf(parts, id, created!.liveSecret);
    await useEverywhere(parts, token);
    await deleteApplication({ store }, by, id);
    return refusalOf(parts, token);
  },
  clock: async (watch, by) => {
    const changed = dataOf(await apiOf(watch, by).advanceClock({ body: { seconds: ADVANCE_S } }));
    return (instance) =>
      apiOf(watch, instance)
        .getClock()
        .then((seen) => dataOf(seen).now === changed.now);
  },
  settings: async (watch, by, count) => {
    const limits = count % (2 * CHANGES.length) < CHANGES.length;
    dataOf(await apiOf(watch, by).updateWorld({ body: { limits } }));
    return (instance) =>
      apiOf(watch, instance)
        .getWorld()
        .then((seen) => dataOf(seen).limits === limits);
  },
};

function apiOf({ balancer, world }: Watch, instance: number): Operations {
  return balancer.client(world.token, instance);
}

async function tokenOf({ balancer }: Watch, id: string, secret: string): Promise<string> {
  const body = { grant_type: 'client_credentials' } as const;
  return dataOf(await balancer.client().createToken({ body, headers: basic(id, secret) })).access_token;
}

const HERE = { params: { query: { lat: FERRY_BUILDING.lat, lng: FERRY_BUILDING.lng } } };

async function useEverywhere({ balancer, fleet }: Watch, token: string): Promise<void> {
  await Promise.all(fleet.sound().map((instance) => balancer.client(token, instance).listRideTypes(HERE)));
}

function refusalOf({ balancer }: Watch, token: string): IsSeen {
  return async (instance) => {
    const { response, error } = await balancer.client(token, instance).listRideTypes(HERE);
    if (response.status >= 500) throw new Error(`listRideTypes returned ${response.status}.`);
    return error?.error === 'invalid_token';
  };
}
