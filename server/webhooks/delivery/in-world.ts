import type { Parts } from '../../parts.ts';
import { claimDelivery, releaseDelivery } from '../../store/deliveries/claim.ts';
import { type DueDelivery, dueDeliveryInWorld } from '../../store/deliveries/due.ts';
import { dropDelivery, recordAttempts } from '../../store/deliveries/record.ts';
import { attemptDelivery, isAddressed, meterAttempts } from './attempt.ts';
import { LEASE_MS, newOwner } from './leases.ts';
import type { Sender } from './send.ts';

export type AttemptParts = Pick<Parts, 'store' | 'now' | 'randomBytes' | 'meter' | 'tracer'>;

/** A delivery that only its claimant attempts. */
export interface Claimed {
  readonly delivery: DueDelivery;
  readonly owner: string;
}

/**
 * Claims a world's first delivery that is due by `until` on its clock.
 * @returns null: none is due; `held`: a worker has started the attempt, so try again shortly
 */
export async function claimInWorld(
  parts: AttemptParts,
  worldId: string,
  until: number,
): Promise<Claimed | 'held' | null> {
  const { db } = parts.store;
  const due = await dueDeliveryInWorld(db, worldId, until);
  if (due === null) return null;
  const owner = newOwner(parts);
  // long enough for all duplicates, because nothing renews this lease
  const leaseMs = LEASE_MS * (1 + due.faults.duplicates);
  if (!(await claimDelivery(db, due.eventId, { realNow: parts.now(), leaseMs, owner }))) return 'held';
  // read again under the lease: a worker may have made an attempt before the claim
  const delivery = await dueDeliveryInWorld(db, worldId, until);
  if (delivery?.eventId === due.eventId) return { delivery, owner };
  // waits for a clock change that is writing the row, because this owner does not retry
  await releaseDelivery(db, due.eventId, owner);
  return 'held';
}

/** Attempts a claimed delivery, and records the attempt. @param inTurn runs the part that writes */
export async function deliverClaimed(
  parts: AttemptParts,
  sender: Sender,
  { delivery, owner }: Claimed,
  inTurn: (write: () => Promise<unknown>) => Promise<unknown>,
): Promise<void> {
  if (!isAddressed(delivery)) {
    await inTurn(() => dropDelivery(parts.store.db, delivery.eventId, owner));
    return;
  }
  const attempted = await attemptDelivery(parts, sender, delivery);
  await inTurn(async () => {
    const recorded = await parts.store.transaction((tx) => recordAttempts(tx, [{ ...attempted, owner }]), 'briefly');
    meterAttempts(parts.meter, [attempted], recorded);
  });
}
