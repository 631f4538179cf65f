import type { EnvironmentTokens } from '../../../client/webhooks/verify-signature.ts';
import type { Ride } from '../../../server/domain/rides/ride.ts';
import { openStore, type Store } from '../../../server/store/engine/open.ts';
import type { AttemptRow, DeliveryStatus, WebhookEventRow } from '../../../server/store/webhook-rows.ts';
import type { Call } from './balancer.ts';
import type { Strike } from './fleet.ts';
import type { Confirmed } from './passenger.ts';
import type { Arrival } from './receiver.ts';
import type { tryTokens } from './run.ts';
import type { Rolling } from './strikes.ts';
import type { Told } from './told.ts';
import type { Sighting } from './visibility.ts';

export type Committed = Omit<WebhookEventRow, 'worldId' | 'applicationId'> & { readonly delivery: DeliveryStatus };

/** A recorded attempt. */
export type Recorded = Pick<AttemptRow, 'eventId' | 'startedAt' | 'durationMs'> & { readonly delivered: boolean };

export interface Stored {
  readonly events: readonly Committed[];
  readonly rides: readonly Ride[];
  readonly attempts: readonly Recorded[];
}

/** Everything known about a run. */
export interface Evidence extends Stored {
  readonly verificationToken: EnvironmentTokens;
  readonly arrivals: readonly Arrival[];
  /** For each ride, the events that the responses to its passenger imply. */
  readonly shown: ReadonlyMap<string, ReadonlySet<Told>>;
  readonly confirmed: readonly Confirmed[];
  readonly calls: readonly Call[];
  readonly strikes: readonly Strike[];
  readonly rolled: readonly Rolling[];
  readonly sightings: readonly Sighting[];
  readonly tokens: Awaited<ReturnType<typeof tryTokens>>;
  /** The errors that the servers logged, with their counts. */
  readonly errors: ReadonlyMap<string, number>;
}

/** Reads the database while no server runs on it. */
export function readStored(databaseUrl: string): Promise<Stored> {
  return withStore(databaseUrl, async ({ db }) => {
    const events = await db
      .selectFrom('events')
      .innerJoin('deliveries', 'deliveries.eventId', 'events.eventId')
      .selectAll('events')
      .select('deliveries.status as delivery')
      .execute();
    const rides = await db.selectFrom('rides').select('document').execute();
    const attempts = await db.selectFrom('attempts').selectAll().orderBy('startedAt').execute();
    return {
      events,
      rides: rides.map(({ document }) => JSON.parse(document)),
      attempts: attempts.map(({ status, ...row }) => ({ ...row, delivered: /^2/.test(`${status}`) })),
    };
  });
}

/** Opens a store for some work. On SQLite, no server may run. */
export async function withStore<T>(databaseUrl: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(databaseUrl);
  return work(store).finally(store.close);
}
