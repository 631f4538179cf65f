import type { Store } from '../../../../server/store/engine/open.ts';
import type { Evidence } from '../evidence.ts';
import type { Confirmed } from '../passenger.ts';
import type { Call } from './balancer.ts';
import type { Strike } from './fleet.ts';
import type { Rolling } from './strikes.ts';
import type { Sighting } from './visibility.ts';

/** A recorded attempt. */
export interface Recorded {
  readonly eventId: string;
  /** Real milliseconds UTC. */
  readonly startedAt: number;
  readonly durationMs: number;
  readonly delivered: boolean;
}

/** Everything known about a run with several instances. */
export interface InstancesEvidence extends Omit<Evidence, 'starts'> {
  readonly attempts: readonly Recorded[];
  readonly confirmed: readonly Confirmed[];
  readonly calls: readonly Call[];
  readonly strikes: readonly Strike[];
  readonly rolled: readonly Rolling[];
  readonly sightings: readonly Sighting[];
  readonly tokens: {
    readonly given: number;
    readonly refused: number;
    readonly renewals: number;
    readonly failedRenewals: number;
  };
  /** The errors that the instances logged, with their counts. */
  readonly errors: ReadonlyMap<string, number>;
}

export async function readAttempts({ db }: Pick<Store, 'db'>): Promise<Recorded[]> {
  const rows = await db
    .selectFrom('attempts')
    .select(['eventId', 'startedAt', 'durationMs', 'status'])
    .orderBy('startedAt')
    .execute();
  return rows.map(({ status, ...row }) => ({ ...row, delivered: status !== null && status >= 200 && status < 300 }));
}
