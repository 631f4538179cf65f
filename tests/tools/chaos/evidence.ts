import type { EnvironmentTokens, VerificationToken } from '../../../client/webhooks/verify-signature.ts';
import type { Ride } from '../../../server/domain/rides/ride.ts';
import { openStore } from '../../../server/store/engine/open.ts';
import type { DeliveryStatus } from '../../../server/store/webhook-rows.ts';
import type { Arrival } from './receiver.ts';
import type { Told } from './told.ts';

export interface Committed {
  readonly eventId: string;
  readonly rideId: string;
  readonly type: string;
  /** World time. */
  readonly occurredAt: number;
  readonly body: string;
  /** Real time. */
  readonly createdAt: number;
  readonly delivery: DeliveryStatus;
}

export interface Stored {
  readonly events: readonly Committed[];
  readonly rides: readonly Ride[];
}

/** Everything known about a run. */
export interface Evidence extends Stored {
  readonly verificationToken: VerificationToken | EnvironmentTokens;
  /** When the server became ready each time, in milliseconds UTC. */
  readonly starts: readonly number[];
  readonly arrivals: readonly Arrival[];
  /** For each ride, the events that the responses to its passenger imply. */
  readonly shown: ReadonlyMap<string, ReadonlySet<Told>>;
}

/** Reads the database while no server runs on it. */
export async function readStored(databaseUrl: string): Promise<Stored> {
  const { db, close } = await openStore(databaseUrl);
  try {
    const events = await db
      .selectFrom('events')
      .innerJoin('deliveries', 'deliveries.eventId', 'events.eventId')
      .selectAll('events')
      .select('deliveries.status as delivery')
      .execute();
    const rides = await db.selectFrom('rides').select('document').execute();
    return { events, rides: rides.map(({ document }) => JSON.parse(document)) };
  } finally {
    await close();
  }
}
