import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '../../domain/time.ts';
import type { Parts } from '../../parts.ts';
import { claimDelivery, releaseDelivery } from '../../store/deliveries/claim.ts';
import { type DueDelivery, dueDeliveryInWorld } from '../../store/deliveries/due.ts';
import { dropDelivery, recordAttempts } from '../../store/deliveries/record.ts';
import { attemptDelivery, isAddressed } from './attempt.ts';
import { LEASE_MS, newOwner } from './leases.ts';
import type { Sender } from './send.ts';

const LOOK_AGAIN_MS = SECOND_MS / 50;

/** What a delivery is attempted with. */
export type AttemptParts = Pick<Parts, 'store' | 'now' | 'randomBytes'>;

/**
 * Makes the first attempt that is due in a world by an instant of its clock, and records it. Waits for an attempt that
 * a worker has begun.
 * @returns whether more may be due
 */
export async function deliverInWorld(
  parts: AttemptParts,
  sender: Sender,
  worldId: string,
  until: number,
): Promise<boolean> {
  const { db } = parts.store;
  const due = await dueDeliveryInWorld(db, worldId, until);
  if (due === null) return false;
  const owner = newOwner(parts);
  // long enough for all duplicates, because nothing renews it
  const leaseMs = LEASE_MS * (1 + due.faults.duplicates);
  if (!(await claimDelivery(db, due.eventId, { realNow: parts.now(), leaseMs, owner }))) {
    await sleep(LOOK_AGAIN_MS);
    return true;
  }
  // read again under the lease: a worker may have made an attempt before the claim
  const delivery = await dueDeliveryInWorld(db, worldId, until);
  if (delivery?.eventId === due.eventId) await deliver(parts, sender, delivery, owner);
  // waits for a change of the clock that is writing the row, because this owner does not try again
  else await releaseDelivery(db, due.eventId, owner);
  return true;
}

async function deliver(parts: AttemptParts, sender: Sender, delivery: DueDelivery, owner: string): Promise<void> {
  if (!isAddressed(delivery)) {
    await dropDelivery(parts.store.db, delivery.eventId, owner);
    return;
  }
  const attempted = await attemptDelivery(parts, sender, delivery);
  await parts.store.transaction((tx) => recordAttempts(tx, [{ ...attempted, owner }]));
}
