import { SECOND_MS } from '../../domain/time.ts';
import type { Parts } from '../../parts.ts';
import { claimDueDeliveries, releaseLeases, renewLeases } from '../../store/deliveries/claim.ts';
import type { DueDelivery } from '../../store/deliveries/due.ts';
import type { Lane } from '../../store/deliveries/lanes.ts';
import { newWakeup } from './wakeup.ts';

/** Longer than an attempt takes. When a lease expires, another worker takes over. */
export const LEASE_MS = 15 * SECOND_MS;
/** Deliveries in one claim. @beyond the rest stays in the database @heldBy tests/webhooks/deliveries-worker.test.ts */
export const MOST_CLAIMED = 64;
/** Deliveries of one lane in a claim. @beyond the rest stays in the database @heldBy tests/store/deliveries.test.ts */
const MOST_CLAIMED_PER_LANE = 32;
/** A safety net: every change wakes the sleeper sooner. */
const LOOK_AGAIN_MS = SECOND_MS;

/** A delivery from its claim until its result is recorded. */
export interface Leased {
  readonly delivery: DueDelivery;
  /** Real time in milliseconds UTC, like `leaseUntil`. */
  readonly claimedAt: number;
  owner: string;
  leaseUntil: number;
}

export function newOwner({ randomBytes }: Pick<Parts, 'randomBytes'>): string {
  return Buffer.from(randomBytes(16)).toString('hex');
}

export type Leases = ReturnType<typeof openLeases>;

/** A worker's claimed deliveries. `claim`, `renew` and `release` throw while the database is unavailable. */
export function openLeases(parts: Pick<Parts, 'store' | 'now' | 'randomBytes'>) {
  const { db } = parts.store;
  const all = new Map<string, Leased>();
  const changed = newWakeup();
  let owner = newOwner(parts);
  let owners = new Set<string>();
  // a forgotten delivery must not be renewed forever: the old name is renewed only while a held delivery has it
  const takeNewName = () => {
    owner = newOwner(parts);
  };
  const add = (delivery: DueDelivery, claimant: string, claimedAt: number): Leased[] => {
    owners.add(claimant);
    const leased = { owner: claimant, leaseUntil: claimedAt + LEASE_MS };
    const known = all.get(delivery.eventId);
    if (known) Object.assign(known, leased);
    const held = known ?? { delivery, claimedAt, ...leased };
    all.set(delivery.eventId, held);
    return known ? [] : [held];
  };
  const remove = ({ delivery }: Leased) => {
    all.delete(delivery.eventId);
    changed.wake();
  };
  return {
    /** Claims due deliveries of some lanes. @returns those that were not already held */
    claim: async (lanes: readonly Lane[]): Promise<Leased[]> => {
      const realNow = parts.now();
      // `owner` may change before the query returns
      const lease = { realNow, leaseMs: LEASE_MS, owner };
      const limits = { limit: MOST_CLAIMED, limitPerLane: MOST_CLAIMED_PER_LANE };
      try {
        const claimed = await claimDueDeliveries(db, { ...lease, ...limits, lanes });
        return claimed.flatMap((delivery) => add(delivery, lease.owner, realNow));
      } catch (error) {
        // the claim may have succeeded, with only its response lost
        takeNewName();
        throw error;
      }
    },
    renew: async (): Promise<void> => {
      const leaseUntil = parts.now() + LEASE_MS;
      owners = new Set([...all.values()].map((held) => held.owner));
      for (const one of owners) await renewLeases(db, one, leaseUntil);
      // after its lease expires, a delivery may belong to another worker
      for (const held of all.values()) {
        if (held.leaseUntil > parts.now()) held.leaseUntil = Math.max(held.leaseUntil, leaseUntil);
      }
    },
    /** Whether the lease is still valid, so that no other worker can have the delivery. */
    isOurs: ({ leaseUntil }: Leased): boolean => leaseUntil > parts.now(),
    /** Removes a delivery whose result is recorded. */
    settle: remove,
    /** Leaves a delivery to the worker that claims it after its lease expires. */
    forget: (held: Leased): void => {
      takeNewName();
      remove(held);
    },
    settled: async (): Promise<void> => {
      while (all.size > 0) await changed.sleep(LOOK_AGAIN_MS);
    },
    /** Releases every lease immediately. */
    release: async (): Promise<void> => {
      // otherwise, `settled` would wait forever and keep the process alive
      all.clear();
      changed.wake();
      for (const one of owners) await releaseLeases(db, one);
    },
  };
}
