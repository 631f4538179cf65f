import { SECOND_MS } from '../../domain/time.ts';
import type { Parts } from '../../parts.ts';
import { claimDueDeliveries, releaseLeases, renewLeases } from '../../store/deliveries/claim.ts';
import type { DueDelivery } from '../../store/deliveries/due.ts';
import { newWakeup } from './wakeup.ts';

/** Longer than an attempt takes; after it another worker takes over. */
export const LEASE_MS = 15 * SECOND_MS;
export const MOST_CLAIMED = 64;
const MOST_CLAIMED_PER_APPLICATION = 32;
/** Longer than anybody waits in vain, for each change wakes them. */
const LOOK_AGAIN_MS = SECOND_MS;

/** A delivery from its claim until what came of it is written. */
export interface Leased {
  readonly delivery: DueDelivery;
  /** Real milliseconds UTC, as is `leaseUntil`. */
  readonly claimedAt: number;
  owner: string;
  leaseUntil: number;
}

/** What a worker has claimed. Claiming, renewing and releasing throw while the database is away. */
export interface Leases {
  /** Claims what is due, but of these applications. @returns what was not held before */
  claim(except: readonly string[]): Promise<Leased[]>;
  renew(): Promise<void>;
  /** Whether nobody else can have it by now. */
  isOurs(held: Leased): boolean;
  /** What came of it is written. */
  settle(held: Leased): void;
  /** Leaves it to whoever claims it when its lease is over. */
  forget(held: Leased): void;
  /** Resolves when nothing is held. */
  settled(): Promise<void>;
  /** Lets go of everything at once. */
  release(): Promise<void>;
}

/** A name that no other worker has. */
export function newOwner({ randomBytes }: Pick<Parts, 'randomBytes'>): string {
  return Buffer.from(randomBytes(16)).toString('hex');
}

export function openLeases(parts: Pick<Parts, 'store' | 'now' | 'randomBytes'>): Leases {
  const { db } = parts.store;
  const all = new Map<string, Leased>();
  const changed = newWakeup();
  let owner = newOwner(parts);
  let owners = new Set<string>();
  // what has gone out of sight must not be renewed for ever: under a new name, the leases of the old one end with what is held
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
    claim: async (except) => {
      const realNow = parts.now();
      // `owner` may be another name before the answer is there
      const lease = { realNow, leaseMs: LEASE_MS, owner };
      const limits = { limit: MOST_CLAIMED, limitPerApplication: MOST_CLAIMED_PER_APPLICATION };
      try {
        const claimed = await claimDueDeliveries(db, { ...lease, ...limits, except });
        return claimed.flatMap((delivery) => add(delivery, lease.owner, realNow));
      } catch (error) {
        // it may have been done, and only its answer lost
        takeNewName();
        throw error;
      }
    },
    renew: async () => {
      const leaseUntil = parts.now() + LEASE_MS;
      owners = new Set([...all.values()].map((held) => held.owner));
      for (const one of owners) await renewLeases(db, one, leaseUntil);
      // a lease that was over may have become another's before
      for (const held of all.values()) {
        if (held.leaseUntil > parts.now()) held.leaseUntil = Math.max(held.leaseUntil, leaseUntil);
      }
    },
    isOurs: ({ leaseUntil }) => leaseUntil > parts.now(),
    settle: remove,
    forget: (held) => {
      takeNewName();
      remove(held);
    },
    settled: async () => {
      while (all.size > 0) await changed.sleep(LOOK_AGAIN_MS);
    },
    release: async () => {
      // whoever waits for what is given up would wait for ever, and keep the process alive
      all.clear();
      changed.wake();
      for (const one of owners) await releaseLeases(db, one);
    },
  };
}
